import type { Logger } from 'pino';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db } from '../../db/core/client';
import { isBuiltInKms } from '../../db/kms/adminKms';
import type { KmsRow } from '../../db/kms/kmsTable';
import { judgeKms } from '../../domain/kms/kmsKeys';
import { withoutTokens } from '../../domain/teams/token';
import { KmsError, type KmsClients } from '../../drivers/kms';
import { eachDue } from '../core/dueRows';

const ANSWER_MS = 5_000;
const AGAIN_MINUTES = 5;
const BATCH_SIZE = 8;

export interface KmsChecker {
  db: Db;
  kms: KmsClients;
  log: Logger;
}

/** Checks every KMS not checked for some minutes. */
export const checkDueKms = (worker: KmsChecker): Promise<unknown> =>
  eachDue(
    worker.db,
    {
      table: 'kms',
      looked_at: 'checked_at',
      minutes: AGAIN_MINUTES,
      limit: BATCH_SIZE,
    },
    (row) => checkKms(worker, row),
    (row, err) => worker.log.error({ err, kms: row.slug }, "couldn't check a KMS"),
  );

/**
 * A KMS in webhook mode passes on that its webhook is down. That is a different problem from the KMS being
 * down.
 */
const reasonOf = (error: Error): string =>
  error instanceof KmsError && /error sending request for url/i.test(error.host_text ?? '')
    ? `It responds, but the webhook that authorizes its apps doesn't, so no CVM gets its keys and none can start. Check auth_api.webhook.url in its configuration and the service there: ${error.host_text}`
    : error.message;

/**
 * Queries one KMS's identity and records how it compares with the pinned one. Its response is never pinned
 * automatically: other keys raise an alarm until an administrator pins them, or the KMS has the old ones again.
 */
export async function checkKms(
  { db, kms, log }: KmsChecker,
  row: Pick<KmsRow, 'id' | 'url' | 'slug'>,
  signal?: AbortSignal,
): Promise<void> {
  const asked_at = new Date();
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const options = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
  const failed = (error: unknown): Error => {
    signal?.throwIfAborted();
    if (error instanceof KmsError) return error;
    if (timeout.aborted) return new Error(`It didn't respond within ${ANSWER_MS / 1000} seconds.`);
    throw error;
  };
  const client = kms.get(row);
  const [said, counted] = await Promise.all([
    client.getMeta(options).catch(failed),
    client.metrics(options).catch(failed),
  ]);
  await withTransaction(db, async (trx) => {
    const now = await trx
      .selectFrom('kms')
      .selectAll()
      .where('id', '=', row.id)
      .forUpdate()
      .executeTakeFirst();
    // Its URL changed during the request, so the response came from another KMS.
    if (!now || now.url !== row.url) return;
    const local = await isBuiltInKms(trx, now.id);
    await trx
      .updateTable('kms')
      .set(
        counted instanceof Error
          ? // The built-in KMS has no counters.
            { metrics_error: local ? null : cutWhole(withoutTokens(counted.message), 2000) }
          : { ...counted, metrics_at: asked_at, metrics_error: null },
      )
      .where('id', '=', now.id)
      .execute();
    if (said instanceof Error) {
      await trx
        .updateTable('kms')
        .set({
          // An alarm about other keys stands until the KMS reports different ones.
          health: now.health === 'alarm' ? 'alarm' : 'unreachable',
          // Its webhook's URL contains a token.
          last_error: cutWhole(withoutTokens(reasonOf(said)), 2000),
          checked_at: asked_at,
        })
        .where('id', '=', now.id)
        .execute();
      return;
    }
    const verdict = judgeKms(said, now, { local });
    await trx
      .updateTable('kms')
      .set({ ...verdict, last_error: null, checked_at: asked_at, answered_at: new Date() })
      .where('id', '=', now.id)
      .execute();
    if ((verdict.health === 'alarm') === (now.health === 'alarm')) return;
    const { seen_k256_pubkey, seen_ca_pubkey } = verdict;
    const { k256_pubkey, next_k256_pubkey, ca_pubkey } = now;
    if (verdict.health === 'alarm')
      log.error(
        { kms: now.slug, seen_k256_pubkey, k256_pubkey, next_k256_pubkey },
        "a KMS's keys differ from the pinned ones",
      );
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: verdict.health === 'alarm' ? 'kms.keys_differ' : 'kms.keys_as_pinned',
        target_kind: 'kms',
        target_id: String(now.id),
        before: { k256_pubkey, next_k256_pubkey, ca_pubkey },
        after: { k256_pubkey: seen_k256_pubkey, ca_pubkey: seen_ca_pubkey },
      },
    ]);
  });
}
