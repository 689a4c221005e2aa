import { lockTeam } from '../../../db/teams/members';
import { findScimUser, lockProvisioning } from '../../../db/teams/scimUsers';
import type { ScimUserRow } from '../../../db/teams/scimTables';
import { isCurrentScimToken, type ScimConnection } from '../../../db/teams/scimTokens';
import type { SsoConnectionRow } from '../../../db/teams/ssoConnectionsTable';
import { lockConnection } from '../../../db/teams/sso';
import { holdAccount, lockEmail } from '../../../db/teams/ssoMembers';
import type { TeamRow } from '../../../db/teams/teamsTable';
import { findUserByEmail } from '../../../db/accounts/users';
import { normalEmail } from '../../../domain/accounts/username';
import { ScimError } from '../../../domain/teams/scim/scimError';
import { addressOf, type ScimValues } from '../../../domain/teams/scim/values';
import type { Services, Write } from '../../types';

/** A request from a team's identity provider. */
export interface Provisioning extends Pick<Services, 'config' | 'db' | 'mail'> {
  /** State at the time of authentication. */
  connection: ScimConnection;
  /** Runs `work` in one transaction with its audit rows, in the log of the connection's team. */
  write<T>(work: (write: Write) => Promise<T>): Promise<T>;
}

/** Rows locked by a write: the user, their account and the team's members can't change until the transaction ends. */
export interface Held {
  team: TeamRow;
  connection: SsoConnectionRow;
  /** Null for a new user. */
  row: ScimUserRow | null;
  values: ScimValues;
  /** The address in `values`, normalized. */
  email: string;
}

/** The token is missing, wrong, or no longer the connection's. */
export const wrongToken = () =>
  new ScimError(401, "Send the SCIM token of the team's single sign-on: Authorization: Bearer thk_scim_…");

export const noUser = () => new ScimError(404, 'User not found.');

/**
 * Locks everything that a change of a user depends on: account, then team, then connection, the same order as at
 * sign-in.
 * @param next returns the user's new values from the current ones
 * @throws {ScimError} 401, 404, or 400 if the new address isn't of the connection's domain
 */
export async function hold(
  { connection: seen }: Provisioning,
  { trx }: Write,
  public_id: string | null,
  next: (before: ScimValues | null) => ScimValues,
): Promise<Held> {
  await lockProvisioning(trx, seen.id);
  const before = public_id === null ? null : await findScimUser(trx, seen.id, public_id);
  if (before === undefined) throw noUser();
  const values = next(before && valuesOf(before));
  // An unchanged address isn't checked: even if the domain has changed, users must be deactivatable.
  const kept = normalEmail(values.email ?? values.user_name);
  const email = kept === before?.email ? kept : addressOf(values, seen.domain);
  const emails = [...new Set([...(before ? [before.email] : []), email])].toSorted();
  for (const one of emails) await lockEmail(trx, one);
  const accounts = await Promise.all(
    emails.map(async (one) => (await findUserByEmail(trx, one))?.id ?? null),
  );
  const ids = new Set([...accounts, before?.user_id ?? null].filter((id) => id !== null));
  for (const id of [...ids].toSorted((a, b) => a - b)) await holdAccount(trx, id);
  const team = await lockTeam(trx, seen.team_id);
  const connection = team && (await lockConnection(trx, team.id));
  if (!connection || connection.id !== seen.id)
    throw new ScimError(404, 'The team has removed its single sign-on.');
  // Replaced or revoked while the request waited for these locks.
  if (!(await isCurrentScimToken(trx, seen))) throw wrongToken();
  // A sign-in that confirmed the link in the meantime has attached the account.
  const row = before && ((await findScimUser(trx, seen.id, before.public_id)) ?? null);
  return { team, connection, row, values, email };
}

export const valuesOf = (row: ScimUserRow): ScimValues => ({
  user_name: row.user_name,
  email: row.email === normalEmail(row.user_name) ? null : row.email,
  external_id: row.external_id,
  display_name: row.display_name,
  formatted_name: row.formatted_name,
  given_name: row.given_name,
  family_name: row.family_name,
  active: row.active,
});
