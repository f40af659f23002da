export { backupOfOrganization } from './backup-organization.js';
export { keeps, OrganizationRecords } from './organization-records.js';
export { apart, content, owned, people, type Rule, type Stored } from './rules.js';
export { Restorations } from './restorations.js';
export { restoreOrganization } from './restore-organization.js';
