export { TeamMembersService } from './team-members.service.js';
export type { Team } from './team.schema.js';
export { TeamSpaces } from './team-spaces.js';
export { TeamView } from './team.view.js';
export { TeamViews } from './team-views.service.js';
export { TeamsModule } from './teams.module.js';
export { TeamsService } from './teams.service.js';
