import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AdminAuditDestination } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import { leasesOf } from '../core/leases';
import type { AuditDestinationRow } from './auditDestinationsTable';

/** Waiting entries counted per destination; more are shown as this many. */
const MAX_COUNTED = 10_000;

export interface AdminAuditDestinationRow extends AuditDestinationRow {
  has_secret: boolean;
  has_client_key: boolean;
  health: AdminAuditDestination['health'];
  waiting: number;
  waiting_since: Date | null;
}

export const adminAuditDestinations: AdminListSource<AdminAuditDestinationRow> = {
  fields: {
    id: 'integer',
    name: 'text',
    kind: 'text',
    address: 'text',
    has_secret: 'boolean',
    ca_certificate: 'none',
    client_certificate: 'none',
    has_client_key: 'boolean',
    state: 'text',
    health: 'text',
    delivered_id: 'integer',
    delivered_at: 'time',
    waiting: 'integer',
    waiting_since: 'time',
    failing_since: 'time',
    next_attempt_at: 'time',
    last_error: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminAuditDestination, AdminFieldKind>,
  searched: ['name', 'address'],
  select: sql<AdminAuditDestinationRow>`
    select d.*, d.sealed_secret is not null as has_secret, d.sealed_client_key is not null as has_client_key,
      case when d.failures > 0 then 'failing' when d.delivered_at is null then 'waiting' else 'ok' end as health,
      (select count(*)::int from (
        select from audit_log l where l.id > d.delivered_id limit ${sql.lit(MAX_COUNTED)}) w) as waiting,
      (select l.at from audit_log l where l.id > d.delivered_id order by l.id limit 1) as waiting_since
    from audit_destinations d`,
};

export const lockAuditDestination = (trx: Tx, id: number): Promise<AuditDestinationRow | undefined> =>
  trx.selectFrom('audit_destinations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const findAuditDestination = (db: Db, id: number): Promise<AuditDestinationRow | undefined> =>
  db.selectFrom('audit_destinations').selectAll().where('id', '=', id).executeTakeFirst();

/**
 * Arbitrary advisory lock key, held while adding a destination, so that concurrent requests count each other's.
 */
const ADDING_LOCK = 7_310_214_941;

/** Counts the destinations, and blocks additions until the transaction ends. */
export async function countAuditDestinations(trx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ADDING_LOCK})`.execute(trx);
  const row = await trx
    .selectFrom('audit_destinations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * Returns the ID after which a new destination's entries start. Goes back a minute for uncommitted transactions
 * that already have an ID. They hold their chain's lock, so none lasts longer.
 */
export async function latestAuditId(trx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from audit_log where at < now() - interval '1 minute' order by at desc, id desc limit 1`.execute(
    trx,
  );
  return rows[0]?.id ?? 0;
}

/** `seconds`: longer than an attempt, from connecting to the receiver's answer. */
export const auditDestinationLeases = leasesOf({
  table: 'audit_destinations',
  open: sql`state = 'active'`,
  held: sql`lease_owner is not null`,
  seconds: 60,
});

/** Leases destinations with entries due up to this ID, the longest waiting first. */
export async function leaseDueDestinations(
  db: Db,
  { owner, at, up_to, limit }: { owner: string; at: Date; up_to: number; limit: number },
): Promise<number[]> {
  const taken = await auditDestinationLeases.take(
    db,
    owner,
    sql`id = any(array(
      select d.id from audit_destinations d
      where d.state = 'active' and (d.lease_until is null or d.lease_until < now())
        and (d.next_attempt_at is null or d.next_attempt_at <= ${at})
        and exists (select from audit_log l where l.id > d.delivered_id and l.id <= ${up_to})
      order by d.delivered_at nulls first, d.id limit ${limit} for update skip locked))`,
  );
  return taken.map(({ id }) => id);
}

/** Renews the lease and returns the destination; undefined when it is lost or delivery is paused. */
export const renewDestination = (
  db: Db,
  id: number,
  owner: string,
): Promise<AuditDestinationRow | undefined> =>
  auditDestinationLeases.renew(db, id, owner, '*', { still: sql`state = 'active'` });

/**
 * Advances the destination's cursor. False when another worker holds it, or its address changed after the
 * entries were sent, in which case they are sent again.
 */
export async function noteDelivered(
  db: Db,
  { id, address, delivered_id }: AuditDestinationRow,
  { owner, up_to, at }: { owner: string; up_to: number; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('audit_destinations')
    .set({
      delivered_id: up_to,
      delivered_at: at,
      failures: 0,
      failing_since: null,
      next_attempt_at: null,
      last_error: null,
    })
    .where(auditDestinationLeases.isOwn(id, owner))
    .where('address', '=', address)
    .where('delivered_id', '=', delivered_id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a failed attempt. The cursor stays, and the destination is due again at `next`. */
export async function noteNotDelivered(
  db: Db,
  { id, address }: AuditDestinationRow,
  { owner, error, at, next }: { owner: string; error: string; at: Date; next: Date },
): Promise<void> {
  await db
    .updateTable('audit_destinations')
    .set({
      failures: sql<number>`failures + 1`,
      failing_since: sql<Date>`coalesce(failing_since, ${at})`,
      next_attempt_at: next,
      last_error: cutWhole(error, 2_000),
    })
    .where(auditDestinationLeases.isOwn(id, owner))
    .where('address', '=', address)
    .execute();
}

/** After a successful test entry, waiting entries are due immediately. */
export async function retryDestination(trx: Tx, id: number): Promise<void> {
  await trx.updateTable('audit_destinations').set({ next_attempt_at: null }).where('id', '=', id).execute();
}
