import { createHash } from 'node:crypto';
import { sql, type Insertable, type Selectable } from 'kysely';
import { appendAudit, type AuditRow } from '../audit/auditLog';
import { withTransaction, type Db, type Tx } from '../core/client';
import type { BootEntry, KmsBootDecisionsTable } from './kmsBootDecisionsTable';
import { toJson } from '../core/json';

/** Identical decisions within this time share an audit entry, which counts them. */
const REPEAT_MINUTES = 60;
/** Individual audit entries per hour: for a KMS's refusals, and for what it allows a team's apps. */
export const MAX_ENTRIES = 200;
const FLUSH_BATCH = 500;

export interface BootDecision {
  kms: { id: number; slug: string };
  team_id: number | null;
  app_id: string;
  subject: 'app' | 'kms';
  allowed: boolean;
  reason: string;
  /** Everything the decision depends on. */
  boot: { [key: string]: string | number | null };
  /** Values that may differ between identical decisions, such as the chain's block. */
  read: { [key: string]: string | number | null };
  ip: string;
  request_id: string;
}

/**
 * Records a decision before its KMS receives it. The first decision about a boot, and every one that differs
 * from the previous one, gets an audit entry. Identical ones are counted, and an entry states their number
 * within an hour. Beyond `MAX_ENTRIES`, all others share one entry per hour.
 */
export async function recordDecision(db: Db, decision: BootDecision): Promise<void> {
  const { kms, team_id, allowed, reason } = decision;
  await withTransaction(db, async (trx) => {
    const fingerprint = fingerprintOf(decision);
    const before = await trx
      .selectFrom('kms_boot_decisions')
      .select(['allowed', 'reason', 'repeats', 'audited_at'])
      .where('kms_id', '=', kms.id)
      .where('fingerprint', '=', fingerprint)
      .forUpdate()
      .executeTakeFirst();
    const isSame = before?.allowed === allowed && before.reason === reason;
    const isRecent = before !== undefined && before.audited_at > hourBefore();
    if (isSame && isRecent) return count(trx, kms.id, fingerprint);
    const entry = entryOf(decision);
    if ((await addEntry(trx, decision)) > MAX_ENTRIES)
      return count(trx, kms.id, othersFingerprint(allowed, team_id));
    await keep(trx, { kms_id: kms.id, fingerprint, allowed, reason, entry: toJson(entry) });
    await appendAudit(trx, [
      {
        ...auditRow(entry, { allowed, reason }, isSame ? before.repeats + 1 : 1),
        ...(before && !isSame
          ? { before: { allowed: before.allowed, reason: before.reason, decisions: before.repeats } }
          : {}),
        ip: decision.ip,
        request_id: decision.request_id,
      },
    ]);
  });
}

/**
 * Key of the row that stands for decisions beyond the limit, and counts the entries up to it. Anyone with a
 * KMS's token can have any app's boots refused, so refusals share a limit; a team's boots are allowed only if
 * the team runs them.
 */
const othersFingerprint = (allowed: boolean, team_id: number | null): Buffer =>
  allowed
    ? createHash('sha256')
        .update(JSON.stringify(['allowed', team_id]))
        .digest()
    : Buffer.alloc(32);

const othersOf = ({
  kms,
  team_id,
  app_id,
  allowed,
  reason,
}: BootDecision): { reason: string; entry: BootEntry } => ({
  reason: `Further ${allowed ? 'allowed' : 'refused'} boots, not listed individually`,
  entry: {
    team_id: allowed ? team_id : null,
    target_kind: 'kms',
    target_id: String(kms.id),
    facts: { kms: kms.slug, ...(allowed ? { last_app_id: app_id } : { last_reason: reason }) },
  },
});

/** Counts an audit entry, by the hour in which the first one fell. @returns the new count */
async function addEntry(trx: Tx, decision: BootDecision): Promise<number> {
  const { kms, allowed, team_id } = decision;
  const { reason, entry } = othersOf(decision);
  const { rows } = await sql<{ entries: number }>`
    insert into kms_boot_decisions as d (kms_id, fingerprint, allowed, reason, entry, entries)
    values (${kms.id}, ${othersFingerprint(allowed, team_id)}, ${allowed}, ${reason}, ${toJson(entry)}, 1)
    on conflict (kms_id, fingerprint) do update set
      entry = excluded.entry,
      decided_at = now(),
      entries = 1 + case when d.entries_since > ${hourBefore()} then d.entries else 0 end,
      entries_since = case when d.entries_since > ${hourBefore()} then d.entries_since else now() end
    returning entries`.execute(trx);
  return rows[0]?.entries ?? 0;
}

const hourBefore = (at = new Date()) => new Date(at.getTime() - REPEAT_MINUTES * 60_000);

function fingerprintOf({ subject, app_id, boot }: BootDecision): Buffer {
  const parts = Object.entries(boot).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([subject, app_id, parts]))
    .digest();
}

const entryOf = ({ kms, team_id, app_id, subject, boot, read }: BootDecision): BootEntry => ({
  team_id,
  ...(team_id === null
    ? { target_kind: 'kms', target_id: String(kms.id) }
    : { target_kind: 'app', target_id: app_id }),
  facts: { kms: kms.slug, subject, app_id, ...boot, ...read },
});

const auditRow = (
  { facts, ...entry }: BootEntry,
  { allowed, reason }: { allowed: boolean; reason: string },
  decisions: number,
): AuditRow => ({
  ...entry,
  actor_kind: 'system',
  action: allowed ? 'kms.boot.allow' : 'kms.boot.refuse',
  after: { ...facts, allowed, reason: reason === '' ? null : reason, decisions },
});

async function keep(trx: Tx, row: Insertable<KmsBootDecisionsTable>): Promise<void> {
  const now = new Date();
  await trx
    .insertInto('kms_boot_decisions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['kms_id', 'fingerprint'])
        .doUpdateSet({ ...row, decided_at: now, audited_at: now, repeats: 0 }),
    )
    .execute();
}

async function count(trx: Tx, kms_id: number, fingerprint: Buffer): Promise<void> {
  await trx
    .updateTable('kms_boot_decisions')
    .set((eb) => ({ repeats: eb('repeats', '+', 1), decided_at: new Date() }))
    .where('kms_id', '=', kms_id)
    .where('fingerprint', '=', fingerprint)
    .execute();
}

/** Entries about repeats also use up the limit, so that boots of earlier hours don't exceed it. */
async function countRepeats(trx: Tx, rows: readonly Selectable<KmsBootDecisionsTable>[], now: Date) {
  const counted = new Map<string, { kms_id: number; others: Buffer; added: number }>();
  for (const { kms_id, fingerprint, allowed, entry } of rows) {
    const others = othersFingerprint(allowed, entry.team_id);
    if (fingerprint.equals(others)) continue;
    const key = `${kms_id} ${others.toString('hex')}`;
    counted.set(key, { kms_id, others, added: (counted.get(key)?.added ?? 0) + 1 });
  }
  for (const [, { kms_id, others, added }] of [...counted].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await sql`
      update kms_boot_decisions set decided_at = ${now},
        entries = ${added} + case when entries_since > ${hourBefore(now)} then entries else 0 end,
        entries_since = case when entries_since > ${hourBefore(now)} then entries_since else ${now} end
      where kms_id = ${kms_id} and fingerprint = ${others}`.execute(trx);
}

/** Writes the audit entries of decisions counted an hour ago, and forgets boots without a request for a day. */
export async function auditRepeats(db: Db, now = new Date()): Promise<void> {
  const due = hourBefore(now);
  await withTransaction(db, async (trx) => {
    const rows = await trx
      .selectFrom('kms_boot_decisions')
      .selectAll()
      .where('repeats', '>', 0)
      .where('audited_at', '<=', due)
      .orderBy('audited_at')
      .limit(FLUSH_BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { kms_id, fingerprint } of rows)
      await trx
        .updateTable('kms_boot_decisions')
        .set({ repeats: 0, audited_at: now })
        .where('kms_id', '=', kms_id)
        .where('fingerprint', '=', fingerprint)
        .execute();
    await countRepeats(trx, rows, now);
    await sql`delete from kms_boot_decisions where ctid in (
      select ctid from kms_boot_decisions where decided_at < ${new Date(now.getTime() - 86_400_000)} and repeats = 0
      limit 5000 for update skip locked)`.execute(trx);
    await appendAudit(
      trx,
      rows.map(({ entry, repeats, ...row }) => auditRow(entry, row, repeats)),
    );
  });
}
