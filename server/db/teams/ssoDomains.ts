import { sql } from 'kysely';
import { RECHECK_FAILED_MS, RECHECK_MS } from '../../domain/teams/sso';
import type { Db, Tx } from '../core/client';
import type { SsoConnectionRow } from './ssoConnectionsTable';

/** The daily check of the TXT records that prove domains. */

/** Takes due connections, longest ago first. The time is written before the check, so each is taken once. */
export async function dueDomainProofs(db: Db, limit: number): Promise<SsoConnectionRow[]> {
  const { rows } = await sql<SsoConnectionRow>`
    update sso_connections set domain_checked_at = now() where id in (
      select id from sso_connections
      where domain_verified_at is not null
        and coalesce(domain_checked_at, domain_verified_at) < now() - make_interval(secs => ${RECHECK_MS / 1000})
      order by domain_checked_at nulls first limit ${limit} for update skip locked
    ) returning *`.execute(db);
  return rows;
}

/** After a failed lookup, schedules the next in an hour instead of a day. */
export async function retryDomainCheck(db: Db, id: number): Promise<void> {
  const seconds = (RECHECK_MS - RECHECK_FAILED_MS) / 1000;
  await sql`
    update sso_connections set domain_checked_at = now() - make_interval(secs => ${seconds})
    where id = ${id}`.execute(db);
}

export async function noteFound(trx: Tx, id: number): Promise<void> {
  await sql`update sso_connections set domain_seen_at = now() where id = ${id}`.execute(trx);
}

export async function noteMissing(trx: Tx, id: number): Promise<void> {
  await sql`update sso_connections set domain_missing_since = now() where id = ${id}`.execute(trx);
}

export async function suspendConnection(trx: Tx, id: number): Promise<void> {
  await sql`update sso_connections set suspended_at = now() where id = ${id}`.execute(trx);
}
