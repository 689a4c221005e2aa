import { addEvents } from '../../db/activity/operations';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import type { MaintenanceWindowRow } from '../../db/hosts/maintenanceWindowsTable';

/**
 * Events per transaction. All events of a large node would hold its locks, and block the feed, for too long.
 */
const BATCH_SIZE = 1000;

/**
 * Queues the notices for a window's CVMs for `sendMaintenanceNotices`, in the caller's transaction, which locks
 * the window. Replaces unsent notices: old times are obsolete once new ones exist, and the end goes only to
 * CVMs that learned of the window.
 */
export async function queueNotices(
  trx: Tx,
  window: MaintenanceWindowRow,
  what: 'planned' | 'began' | 'over',
  message: string,
): Promise<void> {
  // Waits for a batch in progress, and then sees its progress.
  const replaced = await trx
    .deleteFrom('maintenance_notices')
    .where('window_id', '=', window.id)
    .returning(['last_cvm_id', 'heard_through'])
    .executeTakeFirst();
  const heard_through = notifiedThrough(window, replaced);
  if (what === 'over' && heard_through === 0) return;
  await trx
    .insertInto('maintenance_notices')
    .values({
      window_id: window.id,
      node_id: window.node_id,
      what,
      message: message.trim(),
      starts_at: window.starts_at,
      ends_at: window.ends_at,
      heard_through,
    })
    .execute();
}

function notifiedThrough(
  { notified_at }: MaintenanceWindowRow,
  replaced: { last_cvm_id: number; heard_through: number | null } | undefined,
): number | null {
  if (notified_at === null) return 0;
  if (!replaced || replaced.heard_through === null) return null;
  return Math.max(replaced.heard_through, replaced.last_cvm_id);
}

/**
 * Writes the next events about maintenance windows, at most 1,000. Progress is stored with them, so a process
 * that takes over neither repeats nor skips any.
 *
 * @returns whether more may be due
 */
export function sendMaintenanceNotices(db: Db): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const notice = await trx
      .selectFrom('maintenance_notices')
      .selectAll()
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!notice) return false;
    const { id, node_id, what, message, starts_at, ends_at, last_cvm_id, heard_through } = notice;
    let left = trx
      .selectFrom('cvms')
      .innerJoin('teepods', 'teepods.id', 'cvms.teepod_id')
      .select(['cvms.id', 'cvms.team_id', 'cvms.app_id'])
      .where('teepods.node_id', '=', node_id)
      .where('cvms.deleted_at', 'is', null)
      .where('cvms.id', '>', last_cvm_id);
    if (what === 'over' && heard_through !== null) left = left.where('cvms.id', '<=', heard_through);
    const cvms = await left.orderBy('cvms.id').limit(BATCH_SIZE).execute();
    await addEvents(
      trx,
      cvms.map((cvm) => ({
        cvm,
        kind: `cvm.maintenance_${what}`,
        severity: what === 'over' ? 'info' : 'warning',
        message,
        data: { starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() },
      })),
    );
    const last = cvms.at(-1);
    if (last && cvms.length === BATCH_SIZE)
      await trx
        .updateTable('maintenance_notices')
        .set({ last_cvm_id: last.id })
        .where('id', '=', id)
        .execute();
    else await trx.deleteFrom('maintenance_notices').where('id', '=', id).execute();
    return true;
  });
}
