import { listAudit } from '../../db/audit/auditQueries';
import { toAuditEntry } from '../../domain/audit/auditResponse';
import { idOfCursor, keysetPage } from '../activity/cursor';
import type { Handler } from '../types';
import { auditFilter } from './filter';

export const listAuditEntries: Handler<'listAuditEntries'> = async ({ query, ctx }) => {
  const { limit = 50, cursor, ...params } = query;
  const before = idOfCursor(cursor);
  const rows = await listAudit(ctx.db, auditFilter(ctx, params), { before }, limit + 1);
  return { status: 200, body: keysetPage(rows, limit, { id: (row) => row.seq, to: toAuditEntry }) };
};
