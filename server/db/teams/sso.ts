import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { publicId } from '../../domain/core/publicId';
import type { SsoRoleRule } from '../../domain/teams/sso';
import type { Db, Tx } from '../core/client';
import type { SsoConnectionRow } from './ssoConnectionsTable';
import type { SsoSignInRow } from './ssoSignInsTable';
import { toJson } from '../core/json';

/** Queries of a team's connection and the sign-ins through it. Accounts and memberships are in ssoMembers.ts. */

export function findConnection(db: Db | Tx, team_id: number): Promise<SsoConnectionRow | undefined> {
  return db.selectFrom('sso_connections').selectAll().where('team_id', '=', team_id).executeTakeFirst();
}

/** The same, locked until the transaction ends, so that concurrent changes see each other's result. */
export function lockConnection(trx: Tx, team_id: number): Promise<SsoConnectionRow | undefined> {
  return trx
    .selectFrom('sso_connections')
    .selectAll()
    .where('team_id', '=', team_id)
    .forUpdate()
    .executeTakeFirst();
}

/** @throws when there is no such connection */
export async function teamOfConnection(db: Db | Tx, id: number): Promise<number> {
  const row = await db
    .selectFrom('sso_connections')
    .select('team_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.team_id;
}

export interface ConnectionTeam extends SsoConnectionRow {
  team_name: string;
  slug: string;
}

/** Connections with a verified domain, suspended ones included. */
const proved = (db: Db | Tx) =>
  db
    .selectFrom('sso_connections as c')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .selectAll('c')
    .select(['t.name as team_name', 't.slug'])
    .where('c.domain_verified_at', 'is not', null)
    .where('t.deleted_at', 'is', null);

export const findUsableByDomain = (db: Db, domain: string): Promise<ConnectionTeam | undefined> =>
  proved(db).where('c.domain', '=', domain).where('c.suspended_at', 'is', null).executeTakeFirst();

export const findProved = (db: Db | Tx, id: number): Promise<ConnectionTeam | undefined> =>
  proved(db).where('c.id', '=', id).executeTakeFirst();

export const findProvedByPublicId = (db: Db, public_id: string): Promise<ConnectionTeam | undefined> =>
  proved(db).where('c.public_id', '=', public_id).executeTakeFirst();

export const findProvedBySlug = (db: Db, slug: string): Promise<ConnectionTeam | undefined> =>
  proved(db).where('t.slug', '=', slug).executeTakeFirst();

export interface ConnectionValues {
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  domain: string;
  domain_challenge: string;
  domain_verified_at: Date | null;
  domain_checked_at: Date | null;
  domain_seen_at: Date | null;
  domain_missing_since: Date | null;
  suspended_at: Date | null;
  enforced: boolean;
  require_email_verified: boolean;
  default_role: SsoConnectionRow['default_role'];
  role_claim: string | null;
  role_rules: SsoRoleRule[];
  last_error: string | null;
}

/** Returns null when another user created the team's connection in the meantime. */
export async function insertConnection(
  trx: Tx,
  team_id: number,
  values: ConnectionValues,
): Promise<SsoConnectionRow | null> {
  const row = await trx
    .insertInto('sso_connections')
    .values({ ...values, public_id: publicId('sso'), team_id, role_rules: toJson(values.role_rules) })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export function updateConnection(trx: Tx, id: number, values: ConnectionValues): Promise<SsoConnectionRow> {
  return trx
    .updateTable('sso_connections')
    .set({ ...values, role_rules: toJson(values.role_rules), updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Deletes links and sessions, which rest on one issuer's claims about one domain; when either changes, they
 * end.
 */
export async function forgetIdentities(trx: Tx, connection_id: number): Promise<void> {
  await trx.deleteFrom('sso_identities').where('connection_id', '=', connection_id).execute();
  await endSsoSessions(trx, connection_id);
}

/** Ends every session the connection opened, and its pending second factors and links. */
export async function endSsoSessions(trx: Tx, connection_id: number): Promise<void> {
  await trx.deleteFrom('sso_link_requests').where('connection_id', '=', connection_id).execute();
  for (const table of ['pending_sign_ins', 'sessions'] as const)
    await trx.deleteFrom(table).where('sso_connection_id', '=', connection_id).execute();
}

/** Deletes sign-ins in progress: their responses would go to another issuer. */
export async function forgetSignIns(trx: Tx, connection_id: number): Promise<void> {
  await trx.deleteFrom('sso_sign_ins').where('connection_id', '=', connection_id).execute();
}

export async function deleteConnection(trx: Tx, id: number): Promise<void> {
  await trx.deleteFrom('sso_connections').where('id', '=', id).execute();
}

/**
 * Records that DNS shows the record: verified for the first time, or again after it was missing. Returns
 * false when another team holds the domain.
 */
export async function markVerified(trx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update sso_connections c set domain_verified_at = coalesce(domain_verified_at, now()), domain_checked_at = now(),
      domain_seen_at = now(), domain_missing_since = null, suspended_at = null, updated_at = now()
    where c.id = ${id} and not exists (
      select 1 from sso_connections o
      where o.domain = c.domain and o.id <> c.id and o.domain_verified_at is not null and o.suspended_at is null)
    returning c.id`.execute(trx);
  return rows.length > 0;
}

/** Locks the domain until the transaction ends, which serializes teams that verify it concurrently. */
export async function lockDomain(trx: Tx, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso-domain:${domain}`}, 0))`.execute(trx);
}

/** Records the result of the last attempt through the provider. */
export async function noteOutcome(db: Db | Tx, id: number, error: string | null): Promise<void> {
  await db
    .updateTable('sso_connections')
    .set(
      error === null
        ? { last_error: null, last_sign_in_at: new Date() }
        : { last_error: cutWhole(error, 500) },
    )
    .where('id', '=', id)
    .execute();
}

/** Records the result of testing the provider; nobody signed in. */
export async function noteCheck(db: Db | Tx, id: number, error: string | null): Promise<void> {
  await db
    .updateTable('sso_connections')
    .set({ last_error: error === null ? null : cutWhole(error, 500) })
    .where('id', '=', id)
    .execute();
}

export async function insertSignIn(db: Db | Tx, row: SsoSignInRow): Promise<void> {
  // Deletes a few abandoned sign-ins each time, which keeps the table small without a job.
  await sql`delete from sso_sign_ins where state_hash in (
    select state_hash from sso_sign_ins where expires_at < now() order by expires_at limit 50)`.execute(db);
  await db.insertInto('sso_sign_ins').values(row).execute();
}

/** Removes the sign-in: a replayed state finds nothing. */
export async function takeSignIn(db: Db, state_hash: Buffer): Promise<SsoSignInRow | null> {
  const row = await db
    .deleteFrom('sso_sign_ins')
    .where('state_hash', '=', state_hash)
    .returningAll()
    .executeTakeFirst();
  return row && row.expires_at.getTime() > Date.now() ? row : null;
}
