import { setTimeout as wait } from 'node:timers/promises';
import { isSettled } from '../../console/lib/cvms/allowedActions';
import { beginOperation } from '../db/activity/operations';
import { withTransaction } from '../db/core/client';
import { envPubkey } from '../operations/kms/envPubkey';
import type { Services } from '../operations/types';
import { runningIds } from './scenario';

/** Longest wait for the CVMs, which keep starting afterward, and for the teepod's KMS. */
const PATIENCE_MS = 120_000;
const KMS_MS = 120_000;

/**
 * Starts the demo's running CVMs with the product's own operations: the worker creates their VMs on the local
 * teepod. CVMs started earlier are left unchanged.
 *
 * @returns number running, and number expected
 */
export async function startCvms(services: Services): Promise<{ running: number; all: number }> {
  const { db, jobs } = services;
  const ids = runningIds();
  const waiting = await db
    .selectFrom('cvms')
    .selectAll()
    .where('public_id', 'in', ids)
    .where('status', '=', 'stopped')
    .where('host_vm_id', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  await fetchKeys(
    services,
    waiting.map(({ app_id }) => app_id),
  );
  for (const { id } of waiting)
    await withTransaction(db, async (trx) => {
      const cvm = await trx
        .selectFrom('cvms')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (cvm.status !== 'stopped') return;
      const payload = { reason: 'The demo starts' };
      const operation = await beginOperation(trx, { cvm, type: 'start', payload, user_id: null });
      await jobs.enqueueOperation(trx, operation.correlation_id);
    });
  for (const until = Date.now() + PATIENCE_MS; ; await wait(250)) {
    const states = await db
      .selectFrom('cvms')
      .select('status')
      .where('public_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute();
    const running = states.filter(({ status }) => status === 'running').length;
    if (states.every(({ status }) => isSettled(status)) || Date.now() > until)
      return { running, all: ids.length };
  }
}

/**
 * The keys that browsers encrypt secrets to. Deploying requests them from the KMS; here, the apps predate their
 * KMS.
 */
async function fetchKeys({ db, kms, log }: Services, app_ids: readonly number[]): Promise<void> {
  if (app_ids.length === 0) return;
  const apps = await db
    .selectFrom('apps')
    .select(['id', 'app_id', 'kms_id'])
    .where('id', 'in', [...new Set(app_ids)])
    .execute();
  for (const { id, app_id, kms_id } of apps) {
    const service = await db
      .selectFrom('kms')
      .selectAll()
      .where('id', '=', kms_id ?? 0)
      .executeTakeFirst();
    if (!service) continue;
    const ask = () => envPubkey({ db, kms, log, signal: AbortSignal.timeout(KMS_MS) }, service, app_id);
    const { public_key } = await patiently(ask, Date.now() + KMS_MS);
    await db.updateTable('cvms').set({ env_pubkey: public_key }).where('app_id', '=', id).execute();
  }
}

/** The teepod starts alongside the server, a moment later. */
async function patiently<T>(ask: () => Promise<T>, until: number): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw error;
      await wait(250);
    }
  }
}
