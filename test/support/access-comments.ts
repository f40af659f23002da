import { type AccessRow, FORMAT, PAGED } from './access-row.js';

const COMMENT = { least: 'comment', allowed: 200 } as const;
const BODY = { body: { markdown: 'Well.' } };

/** Who may call the operations of comments, of somebody else. */
export const ACCESS_OF_COMMENTS: Record<string, AccessRow> = {
  ...both((place) => ({
    [`listCommentsIn${place}`]: { ...COMMENT, malformed: { query: { status: 'closed' } } },
    [`postCommentIn${place}`]: { ...COMMENT, body: BODY, malformed: { body: { body: { text: 'x' } } } },
    [`getCommentIn${place}`]: { ...COMMENT, ...FORMAT },
    [`updateCommentIn${place}`]: {
      least: 'edit',
      allowed: 200,
      body: { resolved: true },
      malformed: { body: { resolved: 1 } },
    },
    [`deleteCommentIn${place}`]: { least: 'admin', allowed: 205, destroys: true },
    [`listCommentRepliesIn${place}`]: { ...COMMENT, ...PAGED },
    [`postCommentReplyIn${place}`]: { ...COMMENT, body: BODY, malformed: { body: {} } },
    [`getCommentReplyIn${place}`]: { ...COMMENT, ...FORMAT },
    [`updateCommentReplyIn${place}`]: {
      ...COMMENT,
      body: { addedReactions: ['👍'] },
      malformed: { body: { addedReactions: ['no'] } },
    },
    [`deleteCommentReplyIn${place}`]: { least: 'admin', allowed: 205, destroys: true },
  })),
};

/** The same for comments on spaces and on change requests. */
function both(rows: (place: string) => Record<string, AccessRow>): Record<string, AccessRow> {
  return { ...rows('Space'), ...rows('ChangeRequest') };
}
