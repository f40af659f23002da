import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;

/** Headers of requests that many operations know. */
export const HEADER_PARAMETERS: NonNullable<Components['parameters']> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A name for this request, such as a UUID. Sent again with the same key within 24 hours, it is not carried out again, ' +
      'but answered as before, with `Idempotent-Replayed: true`. What was refused or failed frees its key. Keys are your own.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    example: '0d6f2c6e-7b0a-4c1f-9a52-5f4d2f3c8b11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of an answer that you have: 304 without a body where it is still the same.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag that reading this with the same query gave, or several with commas between, or `*`: 412, and nothing changes, where ' +
      'somebody has changed it since.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
};

/** Headers of answers that many operations have. */
export const ANSWER_HEADERS: NonNullable<Components['headers']> = {
  IdempotentReplayed: {
    description: '`true`: the answer that an earlier request with the same Idempotency-Key had.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: {
    description: 'The entity tag of this, as it is answered to you.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
};

type Item = OpenAPIObject['paths'][string];
type Operation = NonNullable<Item['post']>;
type Media = { schema?: { $ref?: string } };
type Schemas = NonNullable<Components['schemas']>;

/** Describes how `operation`, a POST that writes for somebody, takes an `Idempotency-Key`. */
export function describeIdempotency(operation: Operation): void {
  take(operation, 'IdempotencyKey');
  for (const status of Object.keys(operation.responses)) {
    if (status.startsWith('2')) give(operation, status, ['Idempotent-Replayed', 'IdempotentReplayed']);
  }
}

/** Describes how the operations at `path` know entity tags: a single thing has one, and changing it may depend on it. */
export function describeTags(path: string, item: Item, schemas: Schemas): void {
  if (!item.get || !path.startsWith('/v1/') || !isSingle(item.get, schemas)) return;
  take(item.get, 'IfNoneMatch');
  give(item.get, '200', ['ETag', 'ETag']);
  item.get.responses['304'] = { description: 'It is still what If-None-Match names.' };
  for (const method of ['put', 'patch', 'delete'] as const) {
    const operation = item[method];
    if (!operation) continue;
    take(operation, 'IfMatch');
    if (method !== 'delete') give(operation, '200', ['ETag', 'ETag']);
  }
}

/** Whether `operation` may be made to depend on an entity tag. */
export const dependsOnTag = ({ parameters = [] }: Operation): boolean =>
  parameters.some((one) => '$ref' in one && one.$ref === refOf('IfMatch'));

/** Whether `operation` answers JSON that is no list. */
function isSingle(operation: Operation, schemas: Schemas): boolean {
  const answer = operation.responses['200'];
  const media = answer && 'content' in answer ? (answer.content?.['application/json'] as Media | undefined) : undefined;
  if (!media?.schema) return false;
  const name = media.schema.$ref?.split('/').at(-1) ?? '';
  const { properties = {} } = (schemas[name] ?? media.schema) as { properties?: Record<string, { type?: string }> };
  return properties.items?.type !== 'array';
}

const refOf = (parameter: string): string => `#/components/parameters/${parameter}`;

function take(operation: Operation, parameter: string): void {
  operation.parameters = [...(operation.parameters ?? []), { $ref: refOf(parameter) }];
}

function give(operation: Operation, status: string, [name, header]: [string, string]): void {
  const answer = operation.responses[status];
  if (!answer || '$ref' in answer) return;
  answer.headers = { ...answer.headers, [name]: { $ref: `#/components/headers/${header}` } };
}
