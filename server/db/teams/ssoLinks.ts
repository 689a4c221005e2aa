import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { SsoLinkRequestRow } from './ssoLinkRequestsTable';

/** Links between accounts and sign-in providers: listing, requesting and ending them. */

export interface AccountLink {
  connection_id: number;
  public_id: string;
  team_id: number;
  team_name: string;
  team_slug: string;
  domain: string;
  linked_at: Date;
  last_used_at: Date;
}

/** Returns the providers linked to the account, by team name; `team_id`: only that team's. */
export async function linksOfUser(
  db: Db | Tx,
  user_id: number,
  { team_id = null }: { team_id?: number | null } = {},
): Promise<AccountLink[]> {
  const { rows } = await sql<AccountLink>`
    select c.id as connection_id, c.public_id, c.team_id, t.name as team_name, t.slug as team_slug, c.domain,
           min(i.created_at) as linked_at, max(i.last_used_at) as last_used_at
    from sso_identities i
    join sso_connections c on c.id = i.connection_id
    join teams t on t.id = c.team_id
    where i.user_id = ${user_id} and (${team_id}::bigint is null or c.team_id = ${team_id})
    group by c.id, t.id order by t.name, c.id limit 100`.execute(db);
  return rows;
}

export interface EndedLinks {
  links: number;
  sessions: number;
  tokens: number;
}

/**
 * Ends a provider's access to an account: the link, sessions it opened, sign-ins in progress, and API tokens
 * created in such sessions. Without `team_id`, for every provider.
 */
export async function endSsoLinks(
  trx: Tx,
  user_id: number,
  { team_id }: { team_id?: number },
): Promise<EndedLinks> {
  const ofTeam = (column: string) =>
    team_id === undefined
      ? sql`${sql.ref(column)} is not null`
      : sql`${sql.ref(column)} in (select id from sso_connections where team_id = ${team_id})`;
  const links = await sql`
    delete from sso_identities where user_id = ${user_id} and ${ofTeam('connection_id')}`.execute(trx);
  await sql`delete from sso_link_requests where user_id = ${user_id} and ${ofTeam('connection_id')}`.execute(
    trx,
  );
  await sql`
    delete from pending_sign_ins where user_id = ${user_id} and ${ofTeam('sso_connection_id')}`.execute(trx);
  const sessions = await sql`
    delete from sessions where user_id = ${user_id} and ${ofTeam('sso_connection_id')}`.execute(trx);
  const tokens = await sql`
    update api_tokens set revoked_at = now()
    where user_id = ${user_id} and via_sso and revoked_at is null
      and (${team_id ?? null}::bigint is null or team_id = ${team_id ?? null})`.execute(trx);
  await sql`
    update device_authorizations set state = 'denied'
    where user_id = ${user_id} and via_sso and state = 'approved'
      and (${team_id ?? null}::bigint is null or team_id = ${team_id ?? null})`.execute(trx);
  return {
    links: Number(links.numAffectedRows ?? 0n),
    sessions: Number(sessions.numAffectedRows ?? 0n),
    tokens: Number(tokens.numAffectedRows ?? 0n),
  };
}

export async function insertLinkRequest(
  trx: Tx,
  { seconds, ...values }: Omit<SsoLinkRequestRow, 'created_at' | 'expires_at'> & { seconds: number },
): Promise<void> {
  // Deletes a few expired ones each time, so the table stays small without a job.
  await sql`delete from sso_link_requests where token_hash in (
    select token_hash from sso_link_requests where expires_at < now() order by expires_at limit 50)`.execute(
    trx,
  );
  await trx
    .insertInto('sso_link_requests')
    .values({ ...values, expires_at: new Date(Date.now() + seconds * 1000) })
    .execute();
}

export interface LinkRequest extends SsoLinkRequestRow {
  team_id: number;
  team_name: string;
  team_slug: string;
  email: string;
}

/** Returns the request with its team and account; undefined when it has expired. */
export function findLinkRequest(db: Db | Tx, token_hash: Buffer): Promise<LinkRequest | undefined> {
  return db
    .selectFrom('sso_link_requests as r')
    .innerJoin('sso_connections as c', 'c.id', 'r.connection_id')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('r')
    .select(['c.team_id', 't.name as team_name', 't.slug as team_slug', 'u.email'])
    .where('r.token_hash', '=', token_hash)
    .where('r.expires_at', '>', sql<Date>`now()`)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Returns whether it existed: of two confirmations, one links. */
export async function deleteLinkRequest(trx: Tx, token_hash: Buffer): Promise<boolean> {
  const gone = await trx
    .deleteFrom('sso_link_requests')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}
