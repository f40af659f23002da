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

/** What an event can happen to, by the name under which it says so; the most particular first. */
const RESOURCES = { changeRequest: 'change-request', site: 'site', spec: 'openapi-spec', space: 'space' } as const;

/**
 * What the event with `data` happened to. A comment happens to where it stands, so that a discussion arrives in order.
 * @throws Error for an event that names nothing of the kind: a mistake in the code.
 */
export function resourceOf(data: Record<string, string>): EventResource {
  for (const [name, object] of Object.entries(RESOURCES)) {
    const id = data[name];
    if (id !== undefined) return { object, id };
  }
  throw new Error('The event does not say what it happened to');
}

/** What is delivered of `payload`: all that it says, without what is `null`. */
export function dataOf(payload: EventPayloads[WebhookEvent]): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).filter((entry): entry is [string, string] => entry[1] !== null));
}
