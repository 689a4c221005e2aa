import { exportAuditEntries } from './exportAuditEntries';
import { listAuditEntries } from './listAuditEntries';

export const auditHandlers = { listAuditEntries, exportAuditEntries };
