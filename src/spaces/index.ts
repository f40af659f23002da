export { CurrentSpace, RequireSpace, type SpaceAccess } from './space.guard.js';
export { spacePermissions } from './space.policy.js';
export { spaceRole } from './space-role.js';
export type { Space } from './space.schema.js';
export { SpacesModule } from './spaces.module.js';
export { SpacesService } from './spaces.service.js';
export { SpaceView, toSpace } from './space.view.js';
