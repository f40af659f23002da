import type { Agent } from 'node:http';
import { TokensService } from '../../../src/auth/index.js';
import type { Target } from '../access-table.js';
import type { TestApp } from '../app.js';
import type { TestUser } from '../factories.js';
import { publish } from '../integrations.js';
import { makeThings, remake, type Things } from '../things.js';
import type { Name, Named } from './references.js';
import { type FuzzOperation, type FuzzRequest } from './requests.js';
import { type Answer, send } from './sending.js';

/** A pixel, as an image in base64. */
const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
const PASSWORD = 'correct horse';
/** Operations that take away what their path names, or who calls, though no name says so. */
const TAKING = ['transferSpace', 'mergeChangeRequest', 'logout', 'unpublishIntegration', 'redeliverWebhookDelivery'];

/** What is made anew alone; all else hangs together with a space, which everything hangs on. */
const ALONE: Partial<Record<Target, Target[]>> = {
  inviteId: [],
  samlProviderId: [],
  webhookId: [],
  deliveryId: [],
  integrationName: [],
  specSlug: [],
  translationSettingsId: [],
  changeRequestId: [],
  commentId: [],
  commentReplyId: [],
  collectionId: ['userId'],
  userId: ['changeRequestId'],
  teamId: ['changeRequestId'],
};

type Owner = Awaited<ReturnType<TestApp['create']['organization']>>;

/** Where requests come from that are no part of a scene: connections, and a server that nobody may ask. */
export interface Surroundings {
  app: TestApp;
  agent: Agent;
  trap: { url: string; port: number };
}

/** An organization with one of everything, and those who call. */
export class Scene {
  /** Taken away by the last request. */
  private gone = false;

  private constructor(
    private readonly around: Surroundings,
    private readonly owner: Owner,
    private readonly people: { reader: TestUser; neighbour: TestUser },
    private things: Things,
    private rest: Partial<Record<Name, string>>,
    private readonly other: Named['other'],
  ) {}

  /** A new scene; `other` are the things of another organization. */
  static async make(around: Surroundings, other: Named['other'] = {}): Promise<Scene> {
    const { app } = around;
    const owner = await app.create.organization();
    const people = {
      reader: await app.create.user({ in: owner, role: 'read', password: PASSWORD }),
      neighbour: (await app.create.organization()).admin,
    };
    const scene = new Scene(around, owner, people, await makeThings(app, owner), {}, other);
    await scene.makeRest();
    return scene;
  }

  /** What requests name in the scene. */
  get named(): Named {
    const { url, port } = this.around.trap;
    const own = { ...this.things, ...this.rest, trap: url, trapPort: String(port), emailDomain: 'example.org' };
    return { ...(own as Record<Name, string>), other: this.other };
  }

  /** What is answered to `sent`, and at which address. */
  async send(sent: FuzzRequest, operation: FuzzOperation): Promise<Answer> {
    const tokens = {
      admin: this.owner.admin.token,
      reader: this.people.reader.token,
      neighbour: this.people.neighbour.token,
      nobody: null,
    };
    const named =
      operation.name === 'updateUserById'
        ? { ...this.named, userId: this.owner.admin._id }
        : operation.path.includes('{changeRequestId}')
          ? { ...this.named, ...this.things.onChangeRequest }
          : this.named;
    const { app, agent } = this.around;
    const answer = await send(sent, { url: app.url, agent, named, token: tokens[sent.caller] });
    if (answer.status < 300 && takesAway(operation)) this.gone = true;
    return answer;
  }

  /** Makes anew what `operation` took away, if it did; answers whether it had to. */
  async restore(operation: FuzzOperation): Promise<boolean> {
    if (!this.gone) return false;
    this.gone = false;
    const { app } = this.around;
    if (operation.name === 'logout') {
      const tokens = app.nest.get(TokensService, { strict: false });
      for (const person of [this.owner.admin, this.people.reader, this.people.neighbour]) {
        person.token = (await tokens.issue({ user: person._id, kind: 'api', label: 'fuzz' })).token;
      }
    } else if (operation.path.includes('{tokenId}')) {
      this.rest.tokenId = await this.makeToken();
    } else {
      await this.remake(takenBy(operation));
    }
    return true;
  }

  private async remake(taken: Target): Promise<void> {
    const others = ALONE[taken];
    if (others && (await this.remakeAlone([taken, ...others]))) return;
    this.things = await makeThings(this.around.app, this.owner);
    await this.makeRest();
  }

  /** Answers whether that was possible: what it hangs on may be gone, too, by what was sent before. */
  private async remakeAlone(targets: Target[]): Promise<boolean> {
    try {
      this.things = await remake(this.around.app, this.owner, this.things, targets);
      if (targets.includes('integrationName')) this.rest.file = await this.makeAsset();
      return true;
    } catch {
      return false;
    }
  }

  /** What paths name that is no thing of its own. */
  private async makeRest(): Promise<void> {
    const { spaceId, fileId } = this.things;
    const admin = this.around.app.as(this.owner.admin);
    const file = (await admin.get(`/v1/spaces/${spaceId}/content/files/${fileId}`).expect(200)).body as {
      downloadURL: string;
    };
    const download = new URL(file.downloadURL);
    const space = (await admin.get(`/v1/spaces/${spaceId}`).expect(200)).body as { urls: { app: string } };
    const pdf = (await admin.get(`/v1/spaces/${spaceId}/pdf`).expect(200)).body as { url: string };
    const { hostname } = (await admin.get(`/v1/orgs/${this.owner._id}`).expect(200)).body as { hostname: string };
    this.rest = {
      subdomain: hostname,
      hostname,
      signature: download.pathname.split('/').at(-1) ?? '',
      fileQuery: download.search.slice(1),
      spaceURL: space.urls.app,
      email: this.people.reader.email,
      password: PASSWORD,
      token: pdf.url.split('/').at(-1) ?? '',
      siteURL: await this.publishSite(),
      file: await this.makeAsset(),
      tokenId: await this.makeToken(),
    };
  }

  /** Publishes the site; answers its address. */
  private async publishSite(): Promise<string> {
    const path = `/v1/orgs/${this.owner._id}/sites/${this.things.siteId}/publish`;
    const { body } = await this.around.app.as(this.owner.admin).post(path).expect(200);
    return (body as { urls: { published?: string } }).urls.published ?? '';
  }

  /** Publishes the integration with an image; answers the name of its file. */
  private async makeAsset(): Promise<string> {
    const { urls } = await publish(this.around.app, this.owner, { name: this.things.integrationName, icon: PIXEL });
    return (urls.icon ?? '').split('/').at(-1) ?? '';
  }

  private async makeToken(): Promise<string> {
    const made = await this.around.app.as(this.owner.admin).post('/v1/user/tokens').send({ label: 'fuzz' }).expect(201);
    return (made.body as { id: string }).id;
  }
}

/** What an operation takes away: mostly what its path ends with. */
const takenBy = ({ path }: FuzzOperation): Target =>
  path.startsWith('/v1/integrations/') ? 'integrationName' : ((/.*\{(\w+)\}/.exec(path)?.[1] ?? '') as Target);

/** Whether a success takes something away that others need. */
export const takesAway = ({ method, name }: FuzzOperation): boolean => method === 'DELETE' || TAKING.includes(name);
