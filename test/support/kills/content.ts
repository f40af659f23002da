import { zip } from '../importing.js';
import type { Act, Acts, Plan, Thing, World } from './world.js';
import { text } from './world.js';

const at = (thing: Thing): Record<string, string> => ({ spaceId: thing.id });
const onRequest = ({ id, note: { space = '' } }: Thing): Record<string, string> => ({
  spaceId: space,
  changeRequestId: id,
});

/** The primary content of `space` has changed: its change requests are behind. */
function changed(w: World, space: string): void {
  for (const one of w.all('request').filter(({ note }) => note.space === space)) {
    one.note.behind = 'yes';
    w.unset(one.path, 'outdated');
  }
}

/** A page, as it is inserted and as it is read. */
function newPage(w: World): { title: string; markdown: string; change: object } {
  const title = w.mark();
  const markdown = `Text of ${title}.\n`;
  return { title, markdown, change: { operation: 'insert_page', title, document: { markdown } } };
}

/** Plans an edit of a space of chance. */
const edit = (suits: (space: Thing, w: World) => Plan | undefined): Act => {
  return (w) => {
    const space = w.one('space');
    const plan = space && suits(space, w);
    return (
      plan && {
        ...plan,
        at: at(space),
        resource: space.id,
        leaves: (id, answer) => {
          plan.leaves?.(id, answer);
          changed(w, space.id);
        },
      }
    );
  };
};

interface Edited {
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string }[];
}

const insertPages = edit((space, w) => {
  if (w.all('page').length > 8) return undefined;
  const pages = [newPage(w), newPage(w)];
  return {
    at: {},
    body: { changes: pages.map(({ change }) => change) },
    // two in one request: both are there, or neither
    tells: () =>
      pages.map(({ title, markdown }) => ({ at: `${space.path}/content/path/${title}`, fields: { title, markdown } })),
    leaves: (_, answer) => {
      (answer as unknown as Edited | undefined)?.changes.forEach(({ page: { id } }, n) => {
        const title = pages[n]?.title ?? '';
        w.add({ kind: 'page', id, path: `${space.path}/content/path/${title}`, of: [space.id] });
      });
    },
  };
});

const updatePage = edit((space, w) => {
  const page = w.one('page', ({ of }) => of.includes(space.id));
  const markdown = `Text ${w.mark()}.\n`;
  return (
    page && {
      at: {},
      body: { changes: [{ operation: 'update_page', page: page.id, document: { markdown } }] },
      tells: () => [{ at: page.path, fields: { markdown } }],
    }
  );
});

const deletePage = edit((space, w) => {
  const page = w.one('page', ({ of }) => of.includes(space.id));
  return (
    page && {
      at: {},
      body: { changes: [{ operation: 'delete_page', page: page.id }] },
      tells: () => [{ at: page.path, gone: true }],
      leaves: () => {
        w.drop(page.id);
      },
    }
  );
});

const insertFile = edit((space, w) => {
  if (w.all('space').length === 0) return undefined;
  const name = `${w.mark()}.txt`;
  const bytes = `Bytes of ${name}`.repeat(40);
  const file = { name, base64: Buffer.from(bytes).toString('base64'), contentType: 'text/plain' };
  return {
    at: {},
    body: { changes: [{ operation: 'insert_files', files: [file] }] },
    trace: { at: `${space.path}/content/files?limit=1000`, text: name },
    tells: (_, answer) => [
      { at: `${space.path}/content/files?limit=1000#${name}`, fields: { name, size: bytes.length } },
      ...((answer as unknown as Edited | undefined)?.insertedFiles ?? []).map(({ id }) => ({
        at: `${space.path}/content/files/${id}`,
        bytes,
      })),
    ],
  };
});

/** Comments and replies on spaces, or on change requests. */
function commentsIn(place: 'Space' | 'ChangeRequest'): Acts {
  const kind = place === 'Space' ? 'space' : 'request';
  const [comment, reply] = [`comment on ${kind}`, `reply on ${kind}`];
  const where = ({ note }: Thing): Record<string, string> => ({
    spaceId: note.space ?? '',
    changeRequestId: note.request ?? '',
    commentId: note.comment ?? '',
  });
  const body = (w: World) => ({ body: { markdown: `Opinion ${w.mark()}.` } });
  const shown = (sent: ReturnType<typeof body>) => ({ 'body.markdown': sent.body.markdown });
  return {
    [`postCommentIn${place}`]: (w) => {
      const on = w.one(kind);
      if (!on) return undefined;
      const sent = body(w);
      const note = { space: on.note.space ?? on.id, request: on.id };
      return w.make(comment, {
        at: { spaceId: note.space, changeRequestId: note.request },
        body: sent,
        path: (id) => `${on.path}/comments/${id}?format=markdown`,
        fields: shown(sent),
        of: [on.id, ...on.of],
        note: { ...note, base: on.path },
      });
    },
    [`updateCommentIn${place}`]: [
      (w) => {
        const one = w.one(comment);
        const sent = body(w);
        return one && w.change(one, { ...where(one), commentId: one.id }, sent, shown(sent));
      },
      (w) => {
        const one = w.one(comment);
        if (!one) return undefined;
        const { value: status, keep } = w.other(`status of ${one.id}`, one.note.closed ? ['open'] : ['resolved']);
        const plan = w.change(
          one,
          { ...where(one), commentId: one.id },
          { resolved: status === 'resolved' },
          { status },
        );
        return {
          ...plan,
          action: status === 'resolved' ? 'comment.resolve' : 'comment.reopen',
          leaves: () => {
            keep();
            one.note.closed = status === 'resolved' ? 'yes' : '';
          },
        };
      },
    ],
    [`deleteCommentIn${place}`]: (w) => {
      const one = w.one(comment);
      return one && w.remove(one, { ...where(one), commentId: one.id });
    },
    [`postCommentReplyIn${place}`]: (w) => {
      const on = w.one(comment);
      if (!on) return undefined;
      const sent = body(w);
      return w.make(reply, {
        at: { ...where(on), commentId: on.id },
        body: sent,
        path: (id) => `${on.note.base ?? ''}/comments/${on.id}/replies/${id}?format=markdown`,
        fields: shown(sent),
        of: [on.id, ...on.of],
        note: { ...on.note, comment: on.id },
      });
    },
    [`updateCommentReplyIn${place}`]: (w) => {
      const one = w.one(reply);
      const sent = body(w);
      return one && w.change(one, { ...where(one), commentReplyId: one.id }, sent, shown(sent));
    },
    [`deleteCommentReplyIn${place}`]: (w) => {
      const one = w.one(reply);
      return one && w.remove(one, { ...where(one), commentReplyId: one.id });
    },
  };
}

/** Who is asked to review a change request. */
const askedPath = (request: Thing, who: string): string => `${request.path}/requested-reviewers?limit=1000#${who}`;

const REQUESTS: Acts = {
  createChangeRequest: (w) => {
    const space = w.one('space');
    if (!space) return undefined;
    const subject = w.mark();
    return w.make('request', {
      at: at(space),
      body: { subject },
      path: (id) => `${space.path}/change-requests/${id}`,
      fields: { subject },
      most: 4,
      of: [space.id],
      note: { space: space.id, behind: '', pages: '' },
      trace: { at: `${space.path}/change-requests?status=draft&limit=1000`, text: subject },
    });
  },
  updateChangeRequestById: (w) => {
    const request = w.one('request');
    return request && w.change(request, onRequest(request), { subject: w.mark() });
  },
  changeContentInChangeRequest: (w) => {
    const request = w.one('request');
    if (!request) return undefined;
    const { title, markdown, change } = newPage(w);
    return {
      at: onRequest(request),
      body: { changes: [change] },
      resource: request.id,
      tells: () => [{ at: `${request.path}/content/path/${title}`, fields: { title, markdown } }],
      leaves: () => {
        request.note.pages = `${request.note.pages ?? ''} ${title}`.trim();
      },
    };
  },
  updateChangeRequest: (w) => {
    const request = w.one('request', ({ note }) => note.behind === 'yes');
    return (
      request && {
        at: onRequest(request),
        body: {},
        resource: request.id,
        tells: () => [{ at: request.path, fields: { outdated: false } }],
        leaves: () => {
          request.note.behind = '';
        },
      }
    );
  },
  requestReviewersForChangeRequest: (w) => {
    const [request, member] = [w.one('request'), w.one('member')];
    const id = `${request?.id ?? ''}:${member?.id ?? ''}`;
    if (!request || !member || w.one('asked', (one) => one.id === id)) return undefined;
    const path = askedPath(request, member.id);
    const note = { ...request.note, request: request.id, who: member.id };
    return {
      at: onRequest(request),
      body: { users: [member.id] },
      resource: request.id,
      tells: () => [{ at: path, fields: { 'user.id': member.id } }],
      leaves: () => {
        w.add({ kind: 'asked', id, path, of: [request.id, member.id, ...request.of], note });
      },
    };
  },
  removeRequestedReviewerFromChangeRequest: (w) => {
    const asked = w.one('asked');
    if (!asked) return undefined;
    const { space = '', request = '', who = '' } = asked.note;
    return { ...w.remove(asked, { spaceId: space, changeRequestId: request, userId: who }), resource: request };
  },
  submitChangeRequestReview: (w) => {
    const [request, member] = [w.one('request'), w.one('member')];
    if (!request || !member) return undefined;
    return {
      at: onRequest(request),
      token: member.note.token,
      body: { status: 'approved', comment: { markdown: w.mark() } },
      resource: request.id,
      along: ['comment.create'],
      tells: (_, answer) =>
        answer
          ? [{ at: `${request.path}/reviews?limit=1000#${text(answer, 'id')}`, fields: { status: 'approved' } }]
          : [],
      // what somebody was asked for is done
      leaves: () => {
        w.drop(`${request.id}:${member.id}`);
        w.forget(askedPath(request, member.id));
      },
    };
  },
  mergeChangeRequest: (w) => {
    const request = w.one('request', ({ note }) => note.pages !== '');
    if (!request) return undefined;
    const { space = '', pages = '' } = request.note;
    return {
      at: onRequest(request),
      resource: request.id,
      tells: () => [
        { at: request.path, fields: { status: 'merged' } },
        ...pages.split(' ').map((title) => ({
          at: `/v1/spaces/${space}/content/path/${title}`,
          fields: { title, markdown: `Text of ${title}.\n` },
        })),
      ],
      leaves: () => {
        w.drop(request.id);
        changed(w, space);
      },
    };
  },
};

/** Content, what is proposed, and what is said of it. */
export const CONTENT: Acts = {
  editContent: [insertPages, updatePage, deletePage, insertFile],
  importContent: (w) => {
    const space = w.one('spare');
    return (
      space && {
        at: at(space),
        body: { url: `${w.foreign}/page.md`, source: 'markdown' },
        resource: space.id,
        tells: (_, answer) =>
          answer ? [{ at: `${space.path}/revisions/${text(answer, 'revision')}`, fields: {} }] : [],
      }
    );
  },
  putContentArchive: async (w) => {
    const space = w.one('spare');
    const title = w.mark();
    return (
      space && {
        at: at(space),
        body: await zip({ [`${title}.md`]: `# ${title}\n\nText.\n` }),
        type: 'application/zip',
        resource: space.id,
        tells: () => [{ at: `${space.path}/content/path/${title}`, fields: { title } }],
        // what was there is replaced
        leaves: () => {
          w.forget(`${space.path}/content/`);
        },
      }
    );
  },
  ...REQUESTS,
  ...commentsIn('Space'),
  ...commentsIn('ChangeRequest'),
};
