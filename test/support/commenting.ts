import type { Role } from '../../src/common/roles.js';
import type { Organization } from '../../src/organizations/index.js';
import type { Space } from '../../src/spaces/index.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';

/** What tests look at of a comment or a reply. */
export interface CommentAnswer {
  id: string;
  body: { markdown?: string; document?: object };
  status: string;
  editedAt?: string;
  resolvedAt?: string;
  replies: number;
  reactions: { emoji: string; count: number; users: { user: { id: string }; reactedAt: string }[] }[];
  target: { page?: { id: string; title: string; path: string; outdated: boolean }; node?: object; revision: string };
  permissions: object;
}

/** What tests look at of a list. */
export interface ListAnswer<T = CommentAnswer> {
  next?: { page: string };
  count: number;
  items: T[];
}

/** Comments in one place through HTTP. */
export class Commenting {
  /** @param path Path of the comments: those of a space, or of a change request. */
  constructor(
    private readonly app: TestApp,
    readonly path: string,
  ) {}

  /** Posts a comment. */
  async post(user: TestUser, body: object | string, more: object = {}): Promise<CommentAnswer> {
    const text = typeof body === 'string' ? { markdown: body } : body;
    return this.send<CommentAnswer>(user, 'post', '', { body: text, ...more });
  }

  /** Replies to a comment. */
  async reply(user: TestUser, comment: string, markdown: string): Promise<CommentAnswer> {
    return this.send<CommentAnswer>(user, 'post', `/${comment}/replies`, { body: { markdown } });
  }

  /** Changes what lies at `below`: a comment, or a reply. */
  async put(user: TestUser, below: string, changes: object): Promise<CommentAnswer> {
    return this.send<CommentAnswer>(user, 'put', `/${below}`, changes);
  }

  /** Reads a list, or one comment or reply. */
  async get<T = ListAnswer>(user: TestUser, below = '', query: object = {}): Promise<T> {
    return (
      await this.app
        .as(user)
        .get(this.path + below)
        .query(query)
        .expect(200)
    ).body as T;
  }

  /** The texts of a list, in its order. */
  async texts(user: TestUser, query: object = {}, below = ''): Promise<(string | undefined)[]> {
    return (await this.get(user, below, query)).items.map(({ body }) => body.markdown);
  }

  private async send<T>(user: TestUser, method: 'post' | 'put', below: string, body: object): Promise<T> {
    const answer = await this.app
      .as(user)
      [method](this.path + below)
      .send(body);
    if (answer.status !== 200) throw new Error(`Answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }
}

/** People with each of the roles that matter to comments, in the organization of a space. */
export async function peopleOf(
  app: TestApp,
  organization: Organization,
): Promise<Record<'reader' | 'commenter' | 'editor' | 'reviewer' | 'stranger', TestUser>> {
  const member = (displayName: string, role: Role) => app.create.user({ displayName, in: organization, role });
  return {
    reader: await member('Rea Reader', 'read'),
    commenter: await member('Cid Commenter', 'comment'),
    editor: await member('Edi Editor', 'edit'),
    reviewer: await member('Rev Reviewer', 'review'),
    stranger: await app.create.user({ displayName: 'Stranger' }),
  };
}

/** The view of a person that a fellow member gets. */
export const personOf = (user: TestUser) => ({
  object: 'user',
  id: user._id,
  displayName: user.displayName,
  email: user.email,
  urls: { location: `http://docs.test/v1/users/${user._id}` },
});

/** What `GET /v1/spaces/:spaceId` counts. */
export async function openComments(app: TestApp, user: TestUser, { _id }: Pick<Space, '_id'>): Promise<number> {
  const { body } = await app.as(user).get(`/v1/spaces/${_id}`).expect(200);
  return (body as { comments: number }).comments;
}
