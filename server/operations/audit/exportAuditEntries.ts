import { lastAuditSeq, listAudit, listAuditRecords, type AuditFilter } from '../../db/audit/auditQueries';
import { csvLine } from '../../../console/lib/texts/csv';
import { toAuditEntry } from '../../domain/audit/auditResponse';
import { teamOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { auditFilter } from './filter';

/** Several batches of this size may wait for a slow reader. */
const BATCH_SIZE = 200;

/** Streams in batches at the reader's pace. The export itself is recorded as the last entry. */
export const exportAuditEntries: Handler<'exportAuditEntries'> = async ({ query, ctx }) => {
  const { format, ...params } = query;
  const filter = auditFilter(ctx, params);
  const team = teamOf(ctx);
  await ctx.write(({ audit }) =>
    audit({
      action: 'audit.export',
      target_kind: 'team',
      target_id: team.public_id,
      after: { format, ...params },
    }),
  );
  const up_to = await lastAuditSeq(ctx.db, filter.chain);
  const day = new Date().toISOString().slice(0, 10);
  return {
    status: 200,
    content_type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${team.slug}-audit-${day}.${format}"` },
    stream: format === 'csv' ? csv(ctx, filter, up_to) : jsonl(ctx, filter, up_to, team.public_id),
  };
};

const COLUMNS = [
  'seq',
  'at',
  'action',
  'actor',
  'actor_id',
  'actor_kind',
  'on_behalf_of',
  'token',
  'token_id',
  'target_kind',
  'target_id',
  'before',
  'after',
  'ip',
  'place',
  'device',
  'request_id',
  'hash',
];

async function* csv(ctx: Context, filter: AuditFilter, up_to: number): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const rows of batches((after) => listAudit(ctx.db, filter, { after, up_to }, BATCH_SIZE)))
    yield rows
      .map((row) => {
        const entry = toAuditEntry(row);
        const { actor, token, target } = entry;
        const changes = [row.before, row.after].map((value) =>
          value === null ? null : JSON.stringify(value),
        );
        const who = [
          actor.username,
          actor.id,
          actor.kind,
          entry.on_behalf_of,
          token?.name ?? null,
          token?.id ?? null,
        ];
        const what = [target?.kind ?? null, target?.id ?? null];
        const from = [entry.ip, entry.place, entry.device, entry.request_id];
        return csvLine([entry.seq, entry.at, entry.action, ...who, ...what, ...changes, ...from, entry.hash]);
      })
      .join('');
}

/** Yields each line with everything its hash covers, so that `teehouse verify --file` needs nothing else. */
async function* jsonl(
  ctx: Context,
  filter: AuditFilter,
  up_to: number,
  chain: string,
): AsyncGenerator<string> {
  for await (const rows of batches((after) => listAuditRecords(ctx.db, filter, { after, up_to }, BATCH_SIZE)))
    yield rows
      .map((row) => {
        const { hash, ...entry } = toAuditEntry(row);
        const line = { chain, ...entry, prev_hash: row.prev_hash.toString('hex'), hash, record: row.record };
        return `${JSON.stringify(line)}\n`;
      })
      .join('');
}

async function* batches<R extends { seq: number }>(
  next: (after: number) => Promise<R[]>,
): AsyncGenerator<R[]> {
  for (let after = 0; ;) {
    const rows = await next(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = last.seq;
  }
}
