import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';

/** A description of an API, as the API answers it. */
export interface SpecBody {
  id: string;
  slug: string;
  updatedAt: string;
  processingState: string;
  lastVersion?: string;
  lastProcessedAt?: string;
  lastProcessErrorCode?: string;
}

/** A small description with these operations: `get /pets`. */
export function petstore(operations: readonly string[] = ['get /pets'], title = 'Pets'): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    (paths[path] ??= {})[method] = { responses: { 200: { description: 'Well' } } };
  }
  return { openapi: '3.0.3', info: { title, version: '1.0.0' }, paths };
}

/** What makes and reads the descriptions of one organization. */
export class SpecClient {
  constructor(
    private readonly app: TestApp,
    readonly organization: string,
    readonly user: TestUser,
  ) {}

  /** The address of a description, and of what is below it. */
  at(slug: string, ...below: string[]): string {
    return ['/v1/orgs', this.organization, 'openapi', slug, ...below].join('/');
  }

  /** Makes a description or gives it another source, and waits until it was looked at. */
  async put(slug: string, source: object): Promise<SpecBody> {
    await this.app.as(this.user).put(this.at(slug)).send({ source }).expect(200);
    return this.settled(slug);
  }

  /** The same with a text that `document` becomes. */
  putText(slug: string, document: object): Promise<SpecBody> {
    return this.put(slug, { text: JSON.stringify(document) });
  }

  async get(slug: string): Promise<SpecBody> {
    const { body } = await this.app.as(this.user).get(this.at(slug)).expect(200);
    return body as SpecBody;
  }

  /** The description as soon as it was looked at. */
  async settled(slug: string, within = 60_000): Promise<SpecBody> {
    for (const end = Date.now() + within; ;) {
      const spec = await this.get(slug);
      if (spec.processingState === 'complete') return spec;
      if (Date.now() > end) throw new Error(`${slug} is still ${spec.processingState}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/**
 * A description of about `operations` operations and `bytes` bytes of JSON, as generators of code write them: paths, bodies
 * and answers in references to schemas, long texts.
 */
export function largeDescription(operations: number, bytes: number): string {
  const words = 'Answers the things that belong to the account, in the order in which they were made. ';
  const each = Math.floor(bytes / operations / 2);
  const pad = (length: number): string => words.repeat(Math.ceil(length / words.length)).slice(0, length);
  const schemas: Record<string, object> = {};
  const paths: Record<string, object> = {};
  for (let index = 0; index < operations; index += 1) {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `property${at}`,
        at === 0
          ? { $ref: `#/components/schemas/Thing${(index * 7 + 1) % operations}` }
          : { type: 'string', description: pad(Math.max(0, each / 20 - 60)) },
      ]),
    );
    schemas[`Thing${index}`] = { type: 'object', required: ['property1'], properties };
    const json = { 'application/json': { schema: { $ref: `#/components/schemas/Thing${index}` } } };
    paths[`/things${index}/{id}`] = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        operationId: `makeThing${index}`,
        tags: [`tag${index % 40}`],
        description: pad(Math.max(0, each - 700)),
        requestBody: { required: true, content: json },
        responses: { 200: { description: 'Made', content: json }, 404: { description: 'Not there' } },
      },
    };
  }
  return JSON.stringify({ openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths, components: { schemas } });
}
