import { Ajv, type ValidateFunction } from 'ajv';
import type { Test } from 'supertest';
import type { Schema } from '../contract/schema.js';

/** The description of the service, as far as it is about answers. */
export interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

interface Route {
  pattern: RegExp;
  path: string;
}

const JSON_TYPE = 'application/json';
/** A moment as the service writes them: UTC, with milliseconds. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Holds answers against what the service says of them. */
export class DescribedAnswers {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': MOMENT }, logger: false });
  private readonly routes: Route[];
  private readonly checks = new Map<string, ValidateFunction | null>();

  constructor(private readonly description: Description) {
    for (const [name, schema] of Object.entries(description.components.schemas)) {
      this.ajv.addSchema(strict(schema), `#/components/schemas/${name}`);
    }
    // fixed segments go before parameters
    const paths = Object.keys(description.paths).toSorted((a, b) =>
      b.replace(/\{/g, '~') < a.replace(/\{/g, '~') ? 1 : -1,
    );
    this.routes = paths.map((path) => ({ path, pattern: patternOf(path) }));
  }

  /**
   * What an answer of success was held against, as `GET /v1/user 200`; `null` for one that is not described as JSON.
   * @throws Error that says what is wrong with it.
   */
  hold(method: string, address: string, status: number, body: unknown): string | null {
    const [, path = ''] = /^(?:https?:\/\/[^/]+)?([^?]*)/.exec(address) ?? [];
    const route = this.routes.find(({ pattern }) => pattern.test(path));
    if (!route) return null;
    const key = `${method.toUpperCase()} ${route.path} ${String(status)}`;
    const check = this.checks.get(key) ?? this.checkOf(method.toLowerCase(), route.path, status);
    this.checks.set(key, check);
    if (!check) return null;
    if (check(body)) return key;
    const mistakes = (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${key}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
    throw new Error(`The answer is not as it is described: ${mistakes.slice(0, 5).join('; ')}`);
  }

  private checkOf(method: string, path: string, status: number): ValidateFunction | null {
    const operation = this.description.paths[path]?.[method];
    const schema = operation?.responses[String(status)]?.content?.[JSON_TYPE]?.schema;
    return schema ? this.ajv.compile(strict(schema)) : null;
  }

  /** Has every answer of success to `sent` checked; `held` gets to know what it was held against. */
  watch(sent: Test, held: (what: string) => void): void {
    void sent.expect(({ status, body, type }) => {
      if (status >= 300 || type !== JSON_TYPE) return;
      const what = this.hold(sent.method, sent.url, status, body);
      if (what !== null) held(what);
    });
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** `schema` in the words of JSON Schema, and with nothing allowed that it does not describe. */
function strict(schema: Schema): Schema {
  const { nullable, properties, items, oneOf, anyOf, allOf, additionalProperties, ...rest } = schema;
  const own: Schema = {
    ...rest,
    ...(properties && { properties: mapped(properties), additionalProperties: false }),
    ...(items && { items: strict(items) }),
    ...(oneOf && { anyOf: oneOf.map(strict) }),
    ...(anyOf && { anyOf: anyOf.map(strict) }),
    ...(allOf && { allOf: allOf.map(strict) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? strict(additionalProperties) : additionalProperties,
    }),
  };
  return nullable === true ? { anyOf: [own, { type: 'null' }] } : own;
}

const mapped = (properties: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, strict(property)]));
