import { sql } from 'kysely';
import type { Db } from './client';
import { leasesOf } from './leases';

/** Leases of periodic work that one process does for the whole installation. */
export const PERIODIC_LEASE_SECONDS = 15;

export const periodicLeases = leasesOf({
  table: 'periodic_leases',
  key: 'name',
  open: sql`true`,
  held: sql`lease_owner is not null`,
  seconds: PERIODIC_LEASE_SECONDS,
});

export async function addPeriodicLeases(db: Db, names: readonly string[]): Promise<void> {
  await db
    .insertInto('periodic_leases')
    .values(names.map((name) => ({ name, lease_owner: null, lease_until: null })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
