export { type Fetched, type FetchOptions, Outbound, type Posted, type PostOptions } from './outbound.js';
export { OutboundError, type OutboundReason } from './outbound-error.js';
export { OutboundModule } from './outbound.module.js';
