import { Ajv, type ValidateFunction } from 'ajv';
import type { Test } from 'supertest';
import type { Schema } from '../contract/schema.js';
import { jsonSchema } from './json-schema.js';
import { Routes } from './routes.js';

/** The description of the service, as far as it is about answers. */
export interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = 'application/json';
/** A moment as the service writes them: UTC, with milliseconds. */
export const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Holds answers against what the service says of them. */
export class DescribedAnswers {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': MOMENT }, logger: false });
  private readonly routes: Routes;
  private readonly checks = new Map<string, ValidateFunction | null>();

  constructor(private readonly description: Description) {
    for (const [name, schema] of Object.entries(description.components.schemas)) {
      this.ajv.addSchema(jsonSchema(schema, closed), `#/components/schemas/${name}`);
    }
    this.routes = new Routes(Object.keys(description.paths));
  }

  /**
   * What an answer of success was held against, as `GET /v1/user 200`; `null` for one that is not described as JSON.
   * @throws Error that says what is wrong with it.
   */
  hold(method: string, address: string, status: number, body: unknown): string | null {
    const { what, mistakes } = this.check(method, address, status, body);
    if (mistakes.length > 0)
      throw new Error(`The answer is not as it is described: ${mistakes.slice(0, 5).join('; ')}`);
    return what;
  }

  /** What an answer of success is held against, as {@link hold} says, and all that is wrong with it. */
  check(method: string, address: string, status: number, body: unknown): { what: string | null; mistakes: string[] } {
    const path = this.routes.find(address);
    if (path === undefined) return { what: null, mistakes: [] };
    const what = `${method.toUpperCase()} ${path} ${String(status)}`;
    const check = this.checks.get(what) ?? this.checkOf(method.toLowerCase(), path, status);
    this.checks.set(what, check);
    if (!check) return { what: null, mistakes: [] };
    if (check(body)) return { what, mistakes: [] };
    const mistakes = (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
    return { what, mistakes };
  }

  private checkOf(method: string, path: string, status: number): ValidateFunction | null {
    const operation = this.description.paths[path]?.[method];
    const schema = operation?.responses[String(status)]?.content?.[JSON_TYPE]?.schema;
    return schema ? this.ajv.compile(jsonSchema(schema, closed)) : null;
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

/** Allows nothing but what is described. */
const closed = (schema: Schema): Schema =>
  schema.properties && schema.additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema;
