export { EntityTagsModule } from './entity-tags.module.js';
