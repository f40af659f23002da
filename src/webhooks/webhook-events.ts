import type { EventPayloads } from '../common/domain-events.js';

/** What webhooks can be told of: the names of domain events. */
export const WEBHOOK_EVENTS = [
  'content.updated',
  'change-request.merged',
  'comment.added',
  'site.published',
  'spec.processed',
] as const satisfies readonly (keyof EventPayloads)[];
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What an event happened to; its events are delivered in the order in which they happened. */
export interface EventResource {
  object: 'space' | 'change-request' | 'site' | 'openapi-spec';
  id: string;
}

/** What each event happened to. A comment happens to where it stands, so that a discussion arrives in order. */
export const RESOURCE_OF: { readonly [N in WebhookEvent]: (payload: EventPayloads[N]) => EventResource } = {
  'content.updated': ({ space }) => ({ object: 'space', id: space }),
  'change-request.merged': ({ changeRequest }) => ({ object: 'change-request', id: changeRequest }),
  'comment.added': ({ space, changeRequest }) =>
    changeRequest === null ? { object: 'space', id: space } : { object: 'change-request', id: changeRequest },
  'site.published': ({ site }) => ({ object: 'site', id: site }),
  'spec.processed': ({ spec }) => ({ object: 'openapi-spec', id: spec }),
};

/** What is delivered of `payload`: all that it says, without what is `null`. */
export function dataOf(payload: EventPayloads[WebhookEvent]): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).filter((entry): entry is [string, string] => entry[1] !== null));
}
