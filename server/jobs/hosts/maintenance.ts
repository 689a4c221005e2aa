import { sql } from 'kysely';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import type { MaintenanceWindowRow } from '../../db/hosts/maintenanceWindowsTable';
import { utcMinute } from '../../domain/core/dates';
import { queueNotices } from './maintenanceNotices';

const BATCH_SIZE = 20;

/**
 * Runs scheduled changes around maintenance windows: teams with CVMs on the node are notified ahead, at the
 * start and at the end. Each step is claimed, recorded and left to `sendMaintenanceNotices` in one transaction,
 * so it happens once. During the window, the scheduler keeps new CVMs off the node.
 */
export async function runMaintenance(db: Db): Promise<void> {
  await each(
    db,
    sql`notified_at is null and starts_at > now() and starts_at <= now() + make_interval(hours => notice_hours)`,
    async (trx, window) => {
      await set(trx, window, { notified_at: new Date() });
      await queueNotices(
        trx,
        window,
        'planned',
        `Host maintenance from ${utcMinute(window.starts_at)} to ${utcMinute(window.ends_at)}. ${window.reason}`,
      );
    },
  );
  await each(
    db,
    sql`began_at is null and ended_at is null and starts_at <= now() and ends_at > now()`,
    async (trx, window) => {
      await set(trx, window, { began_at: new Date(), notified_at: window.notified_at ?? new Date() });
      await queueNotices(
        trx,
        window,
        'began',
        `Host maintenance has started and is scheduled until ${utcMinute(window.ends_at)}. ${window.reason}`,
      );
      await record(trx, window, 'began');
    },
  );
  await each(db, sql`ended_at is null and ends_at <= now()`, async (trx, window) => {
    await set(trx, window, { ended_at: new Date() });
    if (window.notified_at !== null) await queueNotices(trx, window, 'over', 'Host maintenance is over');
    await record(trx, window, 'ended');
  });
}

/** Notifies the teams that received a window's notice when it is withdrawn. */
export async function notifyCanceled(trx: Tx, window: MaintenanceWindowRow): Promise<void> {
  if (window.notified_at !== null) await queueNotices(trx, window, 'over', 'Host maintenance was canceled');
}

/**
 * Notifies the teams that received a window's old times of its new ones immediately, however far ahead they
 * are. The schedule announces its start.
 */
export async function notifyRescheduled(
  trx: Tx,
  before: MaintenanceWindowRow,
  after: Pick<MaintenanceWindowRow, 'starts_at' | 'ends_at' | 'reason'>,
): Promise<void> {
  const same =
    before.starts_at.getTime() === after.starts_at.getTime() &&
    before.ends_at.getTime() === after.ends_at.getTime();
  const begins = before.began_at === null && after.starts_at <= new Date();
  if (before.notified_at === null || same || begins) return;
  await queueNotices(
    trx,
    { ...before, ...after },
    before.began_at === null ? 'planned' : 'began',
    `Host maintenance is now scheduled from ${utcMinute(after.starts_at)} to ${utcMinute(after.ends_at)}. ${after.reason}`,
  );
}

async function each(
  db: Db,
  when: ReturnType<typeof sql>,
  work: (trx: Tx, window: MaintenanceWindowRow) => Promise<void>,
): Promise<void> {
  await withTransaction(db, async (trx) => {
    const { rows } = await sql<MaintenanceWindowRow>`select * from maintenance_windows where ${when}
      order by starts_at, id limit ${BATCH_SIZE} for update skip locked`.execute(trx);
    for (const window of rows) await work(trx, window);
  });
}

const set = (
  trx: Tx,
  { id }: MaintenanceWindowRow,
  change: Partial<Pick<MaintenanceWindowRow, 'notified_at' | 'began_at' | 'ended_at'>>,
) => trx.updateTable('maintenance_windows').set(change).where('id', '=', id).execute();

const record = (trx: Tx, window: MaintenanceWindowRow, what: string) =>
  appendAudit(trx, [
    {
      actor_kind: 'system',
      action: `maintenance_window.${what}`,
      target_kind: 'maintenance_window',
      target_id: String(window.id),
      after: { node_id: window.node_id },
    },
  ]);
