export { type DeliveryReport, WebhookDeliverer } from './deliverer.js';
export { WebhooksModule } from './webhooks.module.js';
