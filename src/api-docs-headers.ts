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
};

/** Headers of answers that many operations have. */
export const ANSWER_HEADERS: NonNullable<Components['headers']> = {
  IdempotentReplayed: {
    description: '`true`: the answer that an earlier request with the same Idempotency-Key had.',
    schema: { type: 'string', enum: ['true'] },
  },
};

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** Describes how `operation`, a POST that writes for somebody, takes an `Idempotency-Key`. */
export function describeIdempotency(operation: Operation): void {
  operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!answer || !status.startsWith('2') || '$ref' in answer) continue;
    answer.headers = { ...answer.headers, 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } };
  }
}
