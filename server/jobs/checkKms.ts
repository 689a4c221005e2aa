import type { Logger } from 'pino';
import { appendAudit } from '../db/auditLog';
import { withTransaction, type Db } from '../db/client';
import type { KmsRow } from '../db/schema';
import { judgeKms } from '../domain/kmsKeys';
import { KmsError, type KmsClients } from '../drivers/kms';
import { eachDue } from './due';

const ANSWER_MS = 5_000;
const AGAIN_MINUTES = 5;
const AT_ONCE = 8;

export interface KmsChecker {
  db: Db;
  kms: KmsClients;
  log: Logger;
}

/** Asks every KMS that was not asked for some minutes. */
export const checkDueKms = (worker: KmsChecker): Promise<void> =>
  eachDue(
    worker.db,
    {
      table: 'kms',
      looked_at: 'checked_at',
      minutes: AGAIN_MINUTES,
      at_once: AT_ONCE,
    },
    (row) => checkKms(worker, row),
    (row, err) => worker.log.error({ err, kms: row.slug }, 'a KMS could not be checked'),
  );

/**
 * Asks one KMS who it is and writes down how that compares with what is pinned. What it says is never taken for pinned:
 * other keys are an alarm until an administrator pins them, or it has the old ones again.
 */
export async function checkKms(
  { db, kms, log }: KmsChecker,
  row: Pick<KmsRow, 'id' | 'url' | 'slug'>,
  signal?: AbortSignal,
): Promise<void> {
  const asked_at = new Date();
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const said = await kms
    .get(row)
    .getMeta({ signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof KmsError) return error;
      if (timeout.aborted) return new Error(`It did not answer within ${ANSWER_MS / 1000} seconds.`);
      throw error;
    });
  await withTransaction(db, async (trx) => {
    const now = await trx
      .selectFrom('kms')
      .selectAll()
      .where('id', '=', row.id)
      .forUpdate()
      .executeTakeFirst();
    // Its address changed while it was asked: that answer is of another one.
    if (!now || now.url !== row.url) return;
    if (said instanceof Error) {
      await trx
        .updateTable('kms')
        .set({
          // What it said with other keys stands until it says something else.
          health: now.health === 'alarm' ? 'alarm' : 'unreachable',
          last_error: said.message.slice(0, 2000),
          checked_at: asked_at,
        })
        .where('id', '=', now.id)
        .execute();
      return;
    }
    const local = await trx
      .selectFrom('teepods')
      .select('id')
      .where('kms_id', '=', now.id)
      .where('kind', '=', 'local')
      .executeTakeFirst();
    const verdict = judgeKms(said, now, { local: local !== undefined });
    await trx
      .updateTable('kms')
      .set({ ...verdict, last_error: null, checked_at: asked_at, answered_at: new Date() })
      .where('id', '=', now.id)
      .execute();
    if ((verdict.health === 'alarm') === (now.health === 'alarm')) return;
    const { seen_k256_pubkey, seen_ca_pubkey } = verdict;
    const { k256_pubkey, ca_pubkey } = now;
    if (verdict.health === 'alarm')
      log.error({ kms: now.slug, seen_k256_pubkey, k256_pubkey }, 'a KMS has other keys than those pinned');
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: verdict.health === 'alarm' ? 'kms.keys_differ' : 'kms.keys_as_pinned',
        target_kind: 'kms',
        target_id: String(now.id),
        before: { k256_pubkey, ca_pubkey },
        after: { k256_pubkey: seen_k256_pubkey, ca_pubkey: seen_ca_pubkey },
      },
    ]);
  });
}
