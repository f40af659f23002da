export { type Acting, actAs, actAsNobody } from './acting.js';
export { AUDIT_ACTIONS, type AuditAction } from './actions.js';
export { AuditEventPage, AuditEventView, toAuditEvent } from './audit-event.view.js';
export { AuditModule } from './audit.module.js';
export { Audit, type AuditFilter, type Done } from './audit.service.js';
export { type Change, type Changes, changesBetween, madeWith, NAMED, removedWith } from './changes.js';
