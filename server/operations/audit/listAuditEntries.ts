import { listAudit, type AuditFilter } from '../../db/audit/auditQueries';
import type { Db, Tx } from '../../db/core/client';
import { inTime, TooSlow } from '../../db/core/statementTimeout';
import { toAuditEntry } from '../../domain/audit/auditResponse';
import { Problem } from '../../domain/core/problem';
import { idOfCursor, keysetPage } from '../activity/cursor';
import type { Handler } from '../types';
import { auditFilter } from './filter';

/** For filters that scan the team's log until a page is full. Keyset, user and target lookups use an index. */
const LIMIT_MS = 5_000;

const isSearch = ({ action, q, from, to }: AuditFilter): boolean =>
  action !== undefined || q !== undefined || from !== undefined || to !== undefined;

export const listAuditEntries: Handler<'listAuditEntries'> = async ({ query, ctx }) => {
  const { limit = 50, cursor, ...params } = query;
  const before = idOfCursor(cursor);
  const filter = auditFilter(ctx, params);
  const read = (db: Db | Tx) => listAudit(db, filter, { before }, limit + 1);
  // Without a filter, the page everyone opens needs no transaction for the limit: one statement.
  const rows = isSearch(filter) ? await inTime(ctx.db, LIMIT_MS, read).catch(refuseSlow) : await read(ctx.db);
  return { status: 200, body: keysetPage(rows, limit, { id: (row) => row.seq, to: toAuditEntry }) };
};

function refuseSlow(error: unknown): never {
  if (!(error instanceof TooSlow)) throw error;
  throw new Problem('VALIDATION_FAILED', {
    message: 'This query took too long. Narrow the filters.',
    suggestions: ['Also filter by user or target, or export the log and search the file.'],
    cause: error,
  });
}
