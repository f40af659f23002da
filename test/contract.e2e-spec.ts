import { ACCEPTED } from './contract/accepted.js';
import { compareBody, compareFields, compareParameter } from './contract/compare.js';
import { CONTRACT, DEFINITIONS, EXTENSIONS, type Operation, RESOURCES } from './contract/contract.js';
import { alternatives, type Resolve, resolver, type Schema } from './contract/schema.js';
import { startApp, type TestApp } from './support/app.js';

type Content = Record<string, { schema?: Schema }>;

/** An operation as the service describes it. */
interface Described {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

interface Description {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

const LIST = { next: { required: 'N', type: 'object' }, count: { required: 'Y', type: 'number' } } as const;

const ALL = [...CONTRACT, ...EXTENSIONS];
const JSON_TYPE = 'application/json';

const schemaOf = (content: Content | undefined): Schema | undefined => Object.values(content ?? {})[0]?.schema;

describe('the description of the API, beside the contract', () => {
  let app: TestApp;
  let description: Description;
  let served: Resolve;

  beforeAll(async () => {
    app = await startApp();
    description = (await app.anonymous().get('/openapi.json').expect(200)).body as Description;
    served = resolver(description.components.schemas);
  });
  afterAll(() => app.close());

  /** Parameters of the query. */
  function ofQuery({ id, query = {} }: Operation, { parameters = [] }: Described): string[] {
    const described = parameters.filter((parameter) => parameter.in === 'query');
    const strange = described
      .filter(({ name }) => !(name in query))
      .map(({ name }) => `${id}?${name} is not of the contract`);
    return [
      ...strange,
      ...Object.entries(query).flatMap(([name, wanted]) =>
        compareParameter(
          `${id}?${name}`,
          wanted,
          described.find((own) => own.name === name),
          served,
        ),
      ),
    ];
  }

  function ofBody({ id, body }: Operation, { requestBody }: Described): string[] {
    if (!body) return requestBody ? [`${id} takes a body`] : [];
    const schema = requestBody?.content[body.content ?? JSON_TYPE]?.schema;
    if (!schema) return [`${id} takes no body of ${body.content ?? JSON_TYPE}`];
    const optional = Boolean(requestBody.required) === body.required ? [] : [`${id}: whether it needs a body`];
    return [...optional, ...compareBody(id, body.schema, schema, { contract: resolver(DEFINITIONS), served })];
  }

  function ofAnswer({ id, status, also = [], answer, content }: Operation, { responses }: Described): string[] {
    // 304 is the same success, for who has the answer
    const successes = Object.keys(responses).filter((code) => code < '400' && code !== '304');
    const wanted = [status, ...also].join();
    if (successes.join() !== wanted) return [`${id} answers ${successes.join()} instead of ${wanted}`];
    const types = Object.keys(responses[status]?.content ?? {}).toSorted();
    const expected = (content ?? (answer ? [JSON_TYPE] : [])).toSorted();
    if (types.join() !== expected.join()) return [`${id} answers ${types.join()} instead of ${expected.join()}`];
    const schema = schemaOf(responses[status]?.content);
    if (!answer || !schema) return [];
    if ('oneOf' in answer) return ofOneAnswer(id, answer.oneOf, schema);
    if ('members' in answer) {
      const properties = served(schema).properties ?? {};
      return answer.members.filter((name) => !(name in properties)).map((name) => `${id}.${name} is not described`);
    }
    const fields = RESOURCES[answer.resource] ?? {};
    if (!answer.list) return compareFields(id, fields, schema, served);
    const items = served(served(schema).properties?.['items'] ?? {}).items ?? {};
    return [...compareFields(id, LIST, schema, served), ...compareFields(id, fields, items, served)];
  }

  /** Each resource that may be answered must be met by one of the described alternatives. */
  function ofOneAnswer(id: string, resources: string[], schema: Schema): string[] {
    return resources.flatMap((resource) => {
      const tries = alternatives(served(schema)).map((own) =>
        compareFields(`${id}.${resource}`, RESOURCES[resource] ?? {}, own, served),
      );
      return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
    });
  }

  it('has its 124 operations, at their addresses and by their names', () => {
    const wanted = CONTRACT.map(({ id, method, path }) => [id, method, path]);
    expect(wanted.length).toBe(124);
    expect(
      CONTRACT.map(({ id, method, path }) => {
        const own = description.paths[path]?.[method.toLowerCase()];
        return [own?.operationId ?? `${id} is missing`, method, path];
      }),
    ).toEqual(wanted);
  });

  it('has no other operations than those in one of the two tables, and all of them', () => {
    const described = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(ALL.map(({ id, method, path }) => `${id} ${method} ${path}`).toSorted());
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
  });

  it('names resources that the tables have', () => {
    const named = ALL.flatMap(({ answer }) => {
      if (!answer || 'members' in answer) return [];
      return 'oneOf' in answer ? answer.oneOf : [answer.resource];
    });
    expect(named.filter((name) => !RESOURCES[name])).toEqual([]);
  });

  it('takes and answers what the tables say, but for what was decided otherwise', () => {
    const differences = ALL.flatMap((operation) => {
      const own = description.paths[operation.path]?.[operation.method.toLowerCase()];
      if (!own) return [];
      return [...ofQuery(operation, own), ...ofBody(operation, own), ...ofAnswer(operation, own)];
    });
    const isAccepted = (difference: string) => ACCEPTED.some((accepted) => accepted.difference.test(difference));
    expect(differences.filter((difference) => !isAccepted(difference))).toEqual([]);
    const settled = ACCEPTED.filter((accepted) => !differences.some((one) => accepted.difference.test(one)));
    expect(settled.map(({ why }) => why)).toEqual([]);
  });

  it('refers to nothing that is not described', () => {
    const references = JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g);
    const unknown = Array.from(references, ([, name = '']) => name).filter(
      (name) => !description.components.schemas[name],
    );
    expect(unknown).toEqual([]);
  });
});
