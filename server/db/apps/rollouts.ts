import type { EventKind } from '../../../console/lib/activity/eventKinds';
import { LIVE_ROLLOUT } from '../../../console/lib/apps/allowedActions';
import { sql, type Kysely } from 'kysely';
import type { RolloutFields, RolloutItemFields } from '../../domain/apps/rolloutResponse';
import { inStates, leasesOf } from '../core/leases';
import { addEvent } from '../activity/operations';
import type { CvmRow } from '../cvms/cvmsTable';
import type { Database } from '../core/schema';
import type { OperationRow } from '../activity/operationsTable';
import type { RolloutItemRow } from './rolloutItemsTable';
import type { RolloutRow } from './rolloutsTable';

type Db = Kysely<Database>;

/** Returns the app's rollout in progress; there is at most one. */
export async function liveRollout(db: Db, app: number): Promise<RolloutRow | null> {
  const row = await db
    .selectFrom('rollouts')
    .selectAll()
    .where('app_id', '=', app)
    .where('state', 'in', [...LIVE_ROLLOUT])
    .executeTakeFirst();
  return row ?? null;
}

/** Lists contain only the first CVMs; `counts` covers all. */
const ITEMS_IN_LISTS = 50;
const MAX_ITEMS = 1000;

/** Newest first; returns one row more than `limit` when there are more. */
export async function listRollouts(
  db: Db,
  app: number,
  before: number | undefined,
  limit: number,
  items = ITEMS_IN_LISTS,
): Promise<RolloutFields[]> {
  const { rows } = await sql<Flat>`
    ${select} where o.app_id = ${app} ${before === undefined ? sql`` : sql`and o.id < ${before}`}
    order by o.id desc limit ${limit + 1}`.execute(db);
  return withItems(db, rows, items);
}

/** Returns the team's apps that have rollouts, oldest first, including deleted apps. */
export async function appsWithRollouts(db: Db, team_id: number): Promise<{ id: number; app_id: string }[]> {
  const { rows } = await sql<{ id: number; app_id: string }>`
    select a.id, a.app_id from apps a
    where a.team_id = ${team_id} and exists (select from rollouts r where r.app_id = a.id) order by a.id`.execute(
    db,
  );
  return rows;
}

/** Yields all rollouts of an app with all of their CVMs, newest first. A rollout may have a thousand CVMs. */
export async function* everyRollout(db: Db, app: number, batch = 5): AsyncGenerator<RolloutFields[]> {
  for (let before: number | undefined; ;) {
    const rows = await listRollouts(db, app, before, batch - 1, MAX_ITEMS);
    yield rows;
    before = rows.at(-1)?.rollout.id;
    if (before === undefined || rows.length < batch) return;
  }
}

export async function findRollout(db: Db, app: number, public_id: string): Promise<RolloutFields | null> {
  const { rows } = await sql<Flat>`${select} where o.app_id = ${app} and o.public_id = ${public_id}`.execute(
    db,
  );
  const [found] = await withItems(db, rows, MAX_ITEMS);
  return found ?? null;
}

type Flat = RolloutFields['rollout'] &
  Pick<RolloutFields, 'revision' | 'requested_by' | 'cancelled_by' | 'counts'>;

const person = (column: string) => sql`
  (select to_jsonb(one) from (select u.public_id, u.username, u.avatar from users u where u.id = ${sql.raw(column)}) one)`;

const select = sql`
  select o.id, o.public_id, o.state, o.reason, o.settle_seconds, o.health_timeout_seconds, o.error_code, o.error_message,
    o.cancel_mode, o.cancel_requested_at, o.created_at, o.started_at, o.finished_at, o.deadline_at,
    json_build_object('public_id', r.public_id, 'number', r.number) as revision,
    ${person('o.requested_by')} as requested_by, ${person('o.cancel_requested_by')} as cancelled_by,
    (select json_build_object('total', count(*), 'updated', count(*) filter (where i.state = 'updated'),
      'healthy', count(*) filter (where i.state = 'updated' and i.reason is null and i.message is null))
    from rollout_items i where i.rollout_id = o.id) as counts
  from rollouts o join revisions r on r.id = o.revision_id`;

async function withItems(db: Db, rows: readonly Flat[], each: number): Promise<RolloutFields[]> {
  if (rows.length === 0) return [];
  const found = await sql<{ rollout_id: number } & RolloutItemFields>`
    select i.rollout_id, i.state, i.message, i.reason, i.detail, i.evidence, i.containers, i.started_at, i.finished_at,
      json_build_object('public_id', c.public_id, 'name', c.name, 'vm_uuid', c.vm_uuid, 'app_id', a.app_id) as cvm,
      json_build_object('public_id', r.public_id, 'number', r.number) as previous,
      done.correlation_id as operation_id, back.correlation_id as revert_operation_id
    from unnest(${rows.map((row) => row.id)}::bigint[]) as asked (id)
    cross join lateral (
      select * from rollout_items where rollout_items.rollout_id = asked.id order by position limit ${each}
    ) i
    join cvms c on c.id = i.cvm_id
    join apps a on a.id = c.app_id
    join revisions r on r.id = i.previous_revision_id
    left join operations done on done.id = i.operation_id
    left join operations back on back.id = i.revert_operation_id
    order by i.rollout_id, i.position`.execute(db);
  const byRollout = new Map<number, RolloutItemFields[]>(rows.map((row) => [row.id, []]));
  for (const { rollout_id, ...item } of found.rows) byRollout.get(rollout_id)?.push(item);
  return rows.map(({ revision, requested_by, cancelled_by, counts, ...rollout }) => ({
    rollout,
    revision,
    requested_by,
    cancelled_by,
    counts,
    items: byRollout.get(rollout.id) ?? [],
  }));
}

/** `seconds`: the longest a worker may take for one pass over a rollout. */
export const rolloutLeases = leasesOf({ table: 'rollouts', open: inStates(...LIVE_ROLLOUT), seconds: 20 });

/** One CVM of a rollout, with the results of its operations. */
export interface WorkItem {
  item: RolloutItemRow;
  cvm: CvmRow;
  update: OperationRow | null;
  revert: OperationRow | null;
}

/** Returns all CVMs of a rollout in order. */
export async function workItems(db: Db, rollout_id: number): Promise<WorkItem[]> {
  const items = await db
    .selectFrom('rollout_items')
    .selectAll()
    .where('rollout_id', '=', rollout_id)
    .orderBy('position')
    .limit(MAX_ITEMS)
    .execute();
  if (items.length === 0) return [];
  const ids = items.flatMap(({ operation_id, revert_operation_id }) =>
    [operation_id, revert_operation_id].filter((id) => id !== null),
  );
  const [cvms, operations] = await Promise.all([
    db
      .selectFrom('cvms')
      .selectAll()
      .where(
        'id',
        'in',
        items.map(({ cvm_id }) => cvm_id),
      )
      .execute(),
    ids.length === 0 ? [] : db.selectFrom('operations').selectAll().where('id', 'in', ids).execute(),
  ]);
  const cvmById = new Map(cvms.map((cvm) => [cvm.id, cvm]));
  const operationById = new Map(operations.map((operation) => [operation.id, operation]));
  const operationOf = (id: number | null) => (id === null ? null : (operationById.get(id) ?? null));
  return items.flatMap((item) => {
    const cvm = cvmById.get(item.cvm_id);
    return cvm
      ? [
          {
            item,
            cvm,
            update: operationOf(item.operation_id),
            revert: operationOf(item.revert_operation_id),
          },
        ]
      : [];
  });
}

/** Adds an event of a rollout, with a CVM when it concerns one. */
export async function addRolloutEvent(
  db: Db,
  rollout: Pick<RolloutRow, 'public_id' | 'team_id' | 'app_id'>,
  event: {
    kind: EventKind;
    message: string;
    severity?: 'info' | 'warning' | 'error';
    cvm_id?: number;
    data?: Record<string, unknown>;
  },
): Promise<void> {
  const { cvm_id, data, ...rest } = event;
  await addEvent(db, {
    cvm: { id: cvm_id ?? null, team_id: rollout.team_id, app_id: rollout.app_id },
    ...rest,
    data: { rollout_id: rollout.public_id, ...data },
  });
}
