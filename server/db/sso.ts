import { sql } from 'kysely';
import { publicId } from '../domain/publicId';
import type { SsoRoleRule } from '../domain/sso';
import type { Db, Tx } from './client';
import type { SsoConnectionRow, SsoSignInRow } from './schemaSso';

/** Queries of a team's connection and the sign-ins through it. Whom it lets in stands in ssoMembers.ts. */

export function findConnection(db: Db | Tx, team_id: number): Promise<SsoConnectionRow | undefined> {
  return db.selectFrom('sso_connections').selectAll().where('team_id', '=', team_id).executeTakeFirst();
}

/** The same, held until the transaction ends, so that of two changes each sees what the other left. */
export function lockConnection(trx: Tx, team_id: number): Promise<SsoConnectionRow | undefined> {
  return trx
    .selectFrom('sso_connections')
    .selectAll()
    .where('team_id', '=', team_id)
    .forUpdate()
    .executeTakeFirst();
}

export interface ConnectionTeam extends SsoConnectionRow {
  team_name: string;
  slug: string;
}

/** Connections one can sign in by: only a verified domain lets anybody in. */
const usable = (db: Db | Tx) =>
  db
    .selectFrom('sso_connections as c')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .selectAll('c')
    .select(['t.name as team_name', 't.slug'])
    .where('c.domain_verified_at', 'is not', null)
    .where('t.deleted_at', 'is', null);

export const findUsableByDomain = (db: Db, domain: string): Promise<ConnectionTeam | undefined> =>
  usable(db).where('c.domain', '=', domain).executeTakeFirst();

export const findUsable = (db: Db | Tx, id: number): Promise<ConnectionTeam | undefined> =>
  usable(db).where('c.id', '=', id).executeTakeFirst();

export const findUsableByPublicId = (db: Db, public_id: string): Promise<ConnectionTeam | undefined> =>
  usable(db).where('c.public_id', '=', public_id).executeTakeFirst();

export const findUsableBySlug = (db: Db, slug: string): Promise<ConnectionTeam | undefined> =>
  usable(db).where('t.slug', '=', slug).executeTakeFirst();

export interface ConnectionValues {
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  domain: string;
  domain_challenge: string;
  domain_verified_at: Date | null;
  enforced: boolean;
  default_role: SsoConnectionRow['default_role'];
  role_claim: string | null;
  role_rules: SsoRoleRule[];
  last_error: string | null;
}

/** Null when the team got a connection from somebody else in the meantime. */
export async function insertConnection(
  trx: Tx,
  team_id: number,
  values: ConnectionValues,
): Promise<SsoConnectionRow | null> {
  const row = await trx
    .insertInto('sso_connections')
    .values({ ...values, public_id: publicId('sso'), team_id, role_rules: JSON.stringify(values.role_rules) })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export function updateConnection(trx: Tx, id: number, values: ConnectionValues): Promise<SsoConnectionRow> {
  return trx
    .updateTable('sso_connections')
    .set({ ...values, role_rules: JSON.stringify(values.role_rules), updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Subjects mean something at one issuer only: another one starts without, and its predecessor's sessions do not count. */
export async function forgetIdentities(trx: Tx, connection_id: number): Promise<void> {
  await trx.deleteFrom('sso_identities').where('connection_id', '=', connection_id).execute();
  await trx.deleteFrom('sso_sign_ins').where('connection_id', '=', connection_id).execute();
  await sql`update sessions set sso_connection_id = null where sso_connection_id = ${connection_id}`.execute(
    trx,
  );
}

export async function deleteConnection(trx: Tx, id: number): Promise<void> {
  await trx.deleteFrom('sso_connections').where('id', '=', id).execute();
}

/** False when another team has proved the domain before. */
export async function markVerified(trx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update sso_connections c set domain_verified_at = now(), updated_at = now()
    where c.id = ${id} and not exists (
      select 1 from sso_connections o
      where o.domain = c.domain and o.id <> c.id and o.domain_verified_at is not null)
    returning c.id`.execute(trx);
  return rows.length > 0;
}

/** Holds the domain until the transaction ends: two teams that prove it at once come one after the other. */
export async function lockDomain(trx: Tx, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso-domain:${domain}`}, 0))`.execute(trx);
}

/** What the last attempt through the provider came to. */
export async function noteOutcome(db: Db | Tx, id: number, error: string | null): Promise<void> {
  await db
    .updateTable('sso_connections')
    .set(
      error === null
        ? { last_error: null, last_sign_in_at: new Date() }
        : { last_error: error.slice(0, 500) },
    )
    .where('id', '=', id)
    .execute();
}

/** A check of the provider went well or badly; nobody signed in. */
export async function noteCheck(db: Db | Tx, id: number, error: string | null): Promise<void> {
  await db
    .updateTable('sso_connections')
    .set({ last_error: error?.slice(0, 500) ?? null })
    .where('id', '=', id)
    .execute();
}

export async function insertSignIn(db: Db | Tx, row: SsoSignInRow): Promise<void> {
  // Those nobody came back from; a few at a time keeps the table small without a job of its own.
  await sql`delete from sso_sign_ins where state_hash in (
    select state_hash from sso_sign_ins where expires_at < now() order by expires_at limit 50)`.execute(db);
  await db.insertInto('sso_sign_ins').values(row).execute();
}

/** Takes the sign-in out: whoever comes with the same state again finds nothing. */
export async function takeSignIn(db: Db, state_hash: Buffer): Promise<SsoSignInRow | null> {
  const row = await db
    .deleteFrom('sso_sign_ins')
    .where('state_hash', '=', state_hash)
    .returningAll()
    .executeTakeFirst();
  return row && row.expires_at.getTime() > Date.now() ? row : null;
}
