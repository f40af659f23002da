import { ChangeRequestsService } from '../../src/change-requests/index.js';
import { RevisionsService, type TreeEditor } from '../../src/revisions/index.js';
import type { TestApp } from './app.js';
import type { EditAnswer, PageAnswer } from './editing.js';
import { Linking } from './links.js';
import { givenSpace } from './given.js';

/** What tests look at of a change request. */
export interface ChangeRequestAnswer {
  id: string;
  number: number;
  status: string;
  subject: string;
  revision: string;
  revisionInitial: string;
  revisionMergedAncestor?: string;
  revisionMerged?: string;
  outdated: boolean;
  updatedAt: string;
}

/** A conflict, as a refusal names it. */
export interface ConflictAnswer {
  page?: string;
  file?: string;
  reusableContent?: string;
  path?: string;
  kind: string;
  property?: string;
  base?: unknown;
  ours?: unknown;
  theirs?: unknown;
}

interface RefusalAnswer {
  error: { code: number; message: string; conflicts?: ConflictAnswer[] };
}

/** Works on one space through change requests. */
export class Proposing extends Linking {
  /** Makes a change request. */
  async open(subject = ''): Promise<ChangeRequest> {
    const path = `${this.root}/change-requests`;
    const { body } = await this.app.as(this.user).post(path).send({ subject }).expect(201);
    return new ChangeRequest(this.app, this, (body as ChangeRequestAnswer).id);
  }
}

/** Edits, reads, updates and merges one change request through HTTP. */
export class ChangeRequest {
  constructor(
    private readonly app: TestApp,
    private readonly space: Proposing,
    readonly id: string,
  ) {}

  /** Path of the change request. */
  get path(): string {
    return `${this.space.root}/change-requests/${this.id}`;
  }

  /** The change request as it is now. */
  async now(): Promise<ChangeRequestAnswer> {
    return this.get<ChangeRequestAnswer>('');
  }

  /** Sends one batch. */
  async edit(...changes: object[]): Promise<EditAnswer & { changeRequest: ChangeRequestAnswer }> {
    const body = await this.post('/content?compat=false', { changes }, 200);
    return body as EditAnswer & { changeRequest: ChangeRequestAnswer };
  }

  /** Changes a page. */
  async update(page: string, fields: object): Promise<void> {
    await this.edit({ operation: 'update_page', page, ...fields });
  }

  /** Inserts a page; answers its id. */
  async add(title: string, more: object = {}): Promise<string> {
    const change = { operation: 'insert_page', title, document: { markdown: `About ${title}.` }, ...more };
    return (await this.edit(change)).changes[0]?.page.id ?? '';
  }

  /** Takes over what is new in the space; answers the revision. */
  async pull(resolutions?: object[]): Promise<string> {
    const body = await this.post('/update', resolutions && { resolutions }, 200);
    expect(body).toEqual({ revision: (await this.now()).revision, result: 'update' });
    return (body as { revision: string }).revision;
  }

  /** Merges; answers the revision. */
  async merge(): Promise<string> {
    const body = await this.post('/merge', undefined, 200);
    const { revisionMerged } = await this.now();
    expect(body).toEqual({ revision: revisionMerged, result: 'merge' });
    return revisionMerged ?? '';
  }

  /** The conflicts that a merge or an update is refused with. */
  async conflicts(operation: 'merge' | 'update', resolutions?: object[]): Promise<ConflictAnswer[]> {
    const { error } = (await this.post(`/${operation}`, resolutions && { resolutions }, 409)) as RefusalAnswer;
    return error.conflicts ?? [];
  }

  /** Sends `body` to `below`, which is answered with `status`. */
  async post(below: string, body: object | undefined, status: number): Promise<unknown> {
    const answer = await this.app
      .as(this.space.user)
      .post(this.path + below)
      .send(body);
    if (answer.status !== status) {
      throw new Error(`${below} is answered with ${String(answer.status)}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** Changes the content past HTTP: what no operation can do. */
  async inContent(work: (editor: TreeEditor) => Promise<unknown>): Promise<void> {
    const { nest } = this.app;
    const revisions = nest.get(RevisionsService, { strict: false });
    const changeRequests = nest.get(ChangeRequestsService, { strict: false });
    const present = await changeRequests.get(this.id);
    const tip = await revisions.get(present.revision);
    const editor = revisions.edit(tip);
    await work(editor);
    const { root } = await editor.finish();
    const made = { organization: tip.organization, space: tip.space, author: null, root, changeRequest: this.id };
    const { _id: revision } = await revisions.commit({ ...made, type: 'edits', parents: [tip._id] });
    await changeRequests.advance(present, { revision }, this.space.user._id);
  }

  /** Reads what lies at `below` the change request. */
  get<T = unknown>(below: string, query: object = {}): Promise<T> {
    return this.space.get<T>(this.path + below, query);
  }

  /** The text of a page as it is read. */
  async markdownOf(page: string): Promise<string> {
    return (await this.get<PageAnswer>(`/content/page/${page}`)).markdown ?? '';
  }
}

/** As {@link givenSpace}, for tests of change requests. */
export function givenProposing(use: (given: { app: TestApp; space: Proposing }) => void): void {
  givenSpace(({ app, space: { user, space } }) => {
    use({ app, space: new Proposing(app, user, space) });
  });
}
