import { sql } from 'kysely';
import { problemCodes } from '../../generated/api/permissions.gen';
import type { Tx } from '../db/core/client';
import { openNotices, recipientsOf, resolveNotices } from '../db/notifications/notifications';
import { noticesOf } from '../domain/notifications/notices';
import type { FilledCvm, Ground } from './fillApps';
import { createRandom } from './random';
import type { TimelineEvent } from './timeline';

/** An event with its subject. */
export type Told = FilledCvm & { event: TimelineEvent };

/** Rows per statement. */
const BATCH_SIZE = 500;
/** Older events are only listed; notifications cover the last days. */
const NOTICE_MS = 6 * 24 * 3_600_000;

/** Writes a team's operations and events in chronological order, which lists rely on, and its notifications. */
export async function insertHistory(
  trx: Tx,
  ground: Ground,
  filled: readonly FilledCvm[],
  told: readonly Told[],
): Promise<void> {
  const ids = await insertOperations(trx, ground, filled);
  const ordered = told.toSorted((a, b) => a.event.at.getTime() - b.event.at.getTime());
  // Old events are not sent to webhooks and open pages.
  await sql`alter table events disable trigger events_feed`.execute(trx);
  await sql`alter table events disable trigger events_notify`.execute(trx);
  for (let from = 0; from < ordered.length; from += BATCH_SIZE)
    await trx
      .insertInto('events')
      .values(
        ordered.slice(from, from + BATCH_SIZE).map(({ cvm, event }) => ({
          team_id: cvm.team_id,
          app_id: cvm.app_id,
          cvm_id: cvm.id,
          operation_id: event.correlation_id === null ? null : (ids.get(event.correlation_id) ?? null),
          kind: event.kind,
          severity: event.severity,
          message: event.message,
          data: JSON.stringify(event.data),
          created_at: event.at,
        })),
      )
      .execute();
  await sql`alter table events enable trigger events_feed`.execute(trx);
  await sql`alter table events enable trigger events_notify`.execute(trx);
  await notify(trx, ground, ordered);
}

async function insertOperations(
  trx: Tx,
  { deployers, team }: Ground,
  filled: readonly FilledCvm[],
): Promise<Map<string, number>> {
  const random = createRandom(`who in ${team.slug}`);
  const ordered = filled
    .flatMap(({ cvm, timeline }) => timeline.operations.map((operation) => ({ cvm, operation })))
    .toSorted((a, b) => a.operation.at.getTime() - b.operation.at.getTime());
  const ids = new Map<string, number>();
  for (let from = 0; from < ordered.length; from += BATCH_SIZE) {
    const rows = await trx
      .insertInto('operations')
      .values(
        ordered.slice(from, from + BATCH_SIZE).map(({ cvm, operation }) => ({
          correlation_id: operation.correlation_id,
          team_id: cvm.team_id,
          cvm_id: cvm.id,
          type: operation.type,
          state: operation.state,
          target: operation.target,
          payload: JSON.stringify(operation.recycle ? { recycle: true } : {}),
          steps: JSON.stringify(operation.steps),
          error_code: operation.error === null ? null : problemCodes.HOST_REFUSED,
          error_message: operation.error,
          requested_by: random.pick(deployers),
          attempts: 1,
          created_at: operation.at,
          started_at: operation.at,
          finished_at: operation.finished_at,
          deadline_at: new Date(operation.at.getTime() + 900_000),
        })),
      )
      .returning(['id', 'correlation_id'])
      .execute();
    for (const row of rows) ids.set(row.correlation_id, row.id);
  }
  return ids;
}

/** Like the job for new events, but in the console only: the mailboxes don't exist. */
async function notify(trx: Tx, { team, now }: Ground, told: readonly Told[]): Promise<void> {
  for (const { cvm, app, event, timeline } of told) {
    if (now.getTime() - event.at.getTime() > NOTICE_MS) continue;
    const cvm_status = timeline.changes.findLast(({ at }) => at <= event.at)?.status ?? cvm.status;
    const about = { ...event, cvm_id: cvm.id, cvm_name: cvm.name, cvm_status, app_id: app.app_id };
    for (const notice of noticesOf(about)) {
      const of = { team_id: team.id, cvm_id: cvm.id, at: event.at };
      if (notice.state === 'over') await resolveNotices(trx, [{ ...notice, team_id: team.id }], event.at);
      else {
        const recipients = await recipientsOf(trx, team.id, notice.kind);
        await openNotices(
          trx,
          notice,
          of,
          recipients.map((one) => ({ ...one, mail: false })),
        );
      }
    }
  }
}
