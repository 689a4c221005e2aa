import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { appendAudit, type AuditRow } from '../audit/auditLog';
import { withTransaction, type Db, type Tx } from '../core/client';
import type { BootEntry } from './kmsBootDecisionsTable';

/** Identical decisions within this time share an audit entry, which counts them. */
const REPEAT_MINUTES = 60;
/** Refusals of different boots that a KMS can have audited one by one per hour. */
export const MOST_REFUSED = 200;
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
  /** What may differ between identical decisions, such as the block of the chain. */
  read: { [key: string]: string | number | null };
  ip: string;
  request_id: string;
}

/**
 * Records a decision before its KMS hears it. The first one about a boot, and every one that differs from the one before,
 * gets an audit entry; identical ones are counted, and at most an hour later an entry states how many there were. A KMS that
 * has too many different boots refused gets one entry per hour for all the others.
 */
export async function recordDecision(db: Db, decision: BootDecision): Promise<void> {
  const { kms, allowed, reason } = decision;
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
    const isRecent =
      before !== undefined && before.audited_at.getTime() > Date.now() - REPEAT_MINUTES * 60_000;
    if (isSame && isRecent) return count(trx, kms.id, fingerprint);
    const entry = entryOf(decision);
    if (!allowed && (await refusedLately(trx, kms.id)) >= MOST_REFUSED) {
      const others = othersOf(decision);
      await keep(trx, { kms, fingerprint: OTHERS, allowed, reason: others.reason, entry: others.entry });
      return count(trx, kms.id, OTHERS);
    }
    await keep(trx, { kms, fingerprint, allowed, reason, entry }, true);
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

/** Stands for the refusals beyond the limit. */
const OTHERS = Buffer.alloc(32);

const othersOf = ({ kms, reason }: BootDecision): { reason: string; entry: BootEntry } => ({
  reason: 'Further refused boots, not listed one by one',
  entry: {
    team_id: null,
    target_kind: 'kms',
    target_id: String(kms.id),
    facts: { kms: kms.slug, last_reason: reason },
  },
});

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

async function keep(
  trx: Tx,
  given: {
    kms: { id: number };
    fingerprint: Buffer;
    allowed: boolean;
    reason: string;
    entry: BootEntry;
  },
  audited = false,
): Promise<void> {
  const { kms, fingerprint, allowed, reason } = given;
  const current = { allowed, reason, entry: JSON.stringify(given.entry) };
  await trx
    .insertInto('kms_boot_decisions')
    .values({ kms_id: kms.id, fingerprint, ...current })
    .onConflict((conflict) =>
      conflict.columns(['kms_id', 'fingerprint']).doUpdateSet({
        ...current,
        decided_at: new Date(),
        ...(audited ? { audited_at: new Date(), repeats: 0 } : {}),
      }),
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

async function refusedLately(trx: Tx, kms_id: number): Promise<number> {
  const { n } = await trx
    .selectFrom('kms_boot_decisions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('kms_id', '=', kms_id)
    .where('allowed', '=', false)
    .where('audited_at', '>', new Date(Date.now() - REPEAT_MINUTES * 60_000))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Writes the audit entries of decisions that were counted an hour ago, and forgets boots that nobody asked about for a day. */
export async function auditRepeats(db: Db, now = new Date()): Promise<void> {
  const due = new Date(now.getTime() - REPEAT_MINUTES * 60_000);
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
    await sql`delete from kms_boot_decisions where ctid in (
      select ctid from kms_boot_decisions where decided_at < ${new Date(now.getTime() - 86_400_000)} and repeats = 0
      limit 5000 for update skip locked)`.execute(trx);
    await appendAudit(
      trx,
      rows.map(({ entry, repeats, ...row }) => auditRow(entry, row, repeats)),
    );
  });
}
