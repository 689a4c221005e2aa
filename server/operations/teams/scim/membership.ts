import type { UserRow } from '../../../db/accounts/usersTable';
import { findUser, findUserByEmail } from '../../../db/accounts/users';
import { revokeInvitationsTo } from '../../../db/teams/invitations';
import { countOwners, removeMember } from '../../../db/teams/members';
import { detachDeletedScimUsers, scimUserTaken } from '../../../db/teams/scimUsers';
import type { ScimUserRow } from '../../../db/teams/scimTables';
import { endSsoLinks } from '../../../db/teams/ssoLinks';
import {
  findMembership,
  hasWayIn,
  insertMembership,
  insertSsoUser,
  isLinkedMember,
} from '../../../db/teams/ssoMembers';
import { usernameFor } from '../../../domain/accounts/username';
import { invalidValue, ScimError } from '../../../domain/teams/scim/scimError';
import { shownName } from '../../../domain/teams/scim/values';
import { emailDomain } from '../../../domain/teams/sso';
import type { Write } from '../../types';
import { valuesOf, type Held, type Provisioning } from './provisioning';

export type Account = Pick<
  ScimUserRow,
  'user_id' | 'issuer_opens_account' | 'former_role' | 'former_role_synced'
>;

const PENDING: Account = {
  user_id: null,
  issuer_opens_account: false,
  former_role: null,
  former_role_synced: false,
};

/**
 * Makes a user a member: with a new account, or one that is in the team or was until the provider deactivated it;
 * any other account joins once its owner has signed in and confirmed the link. @throws {ScimError} 403, 409
 */
export async function grant(
  { config }: Provisioning,
  { trx, audit }: Write,
  { connection }: Held,
  row: ScimUserRow,
): Promise<Account> {
  if (connection.domain_verified_at === null || connection.suspended_at !== null)
    throw new ScimError(
      403,
      `The team hasn't verified ${connection.domain}, or its TXT record is missing. Users can be deactivated, but not added.`,
    );
  if (emailDomain(row.email) !== connection.domain)
    throw invalidValue(`The address must be at ${connection.domain}, the domain that the team verified.`);
  const account = await accountOf(trx, row);
  const by = connection.public_id;
  if (!account) {
    if (config.registration === 'off')
      throw new ScimError(403, 'Registration is closed on this server, and the address has no account here.');
    const user = await insertSsoUser(trx, {
      email: row.email,
      username: usernameFor(row.email, shownName(valuesOf(row))),
    });
    if (!user) throw new ScimError(503, 'The address was registered just now. Send the request again.');
    await audit({
      action: 'user.register',
      target_kind: 'user',
      target_id: user.public_id,
      after: { connection: by },
    });
    await addMember(connection.default_role, connection.id, user);
    return { ...PENDING, user_id: user.id, issuer_opens_account: true };
  }
  if (account.state !== 'active') throw new ScimError(409, 'The account with this address is closed.');
  if (await isOfAnother(trx, row, account))
    throw new ScimError(
      409,
      "This account is already linked to another of the provider's users.",
      'uniqueness',
    );
  const isMember = Boolean(await findMembership(trx, connection.team_id, account.id));
  const role =
    row.user_id === account.id && emailDomain(account.email) === connection.domain && row.former_role;
  // Otherwise a deleted user with another address would block the account from signing in.
  await detachDeletedScimUsers(trx, connection.id, account.id);
  if (!isMember && !role) return PENDING;
  if (!isMember && role) await addMember(role, row.former_role_synced ? connection.id : null, account);
  return { ...PENDING, ...attached(row, account) };

  async function addMember(
    role: NonNullable<Account['former_role']>,
    synced_by: number | null,
    user: UserRow,
  ) {
    const { team_id } = connection;
    await insertMembership(trx, { team_id, user_id: user.id, role, connection_id: synced_by });
    await audit({
      action: 'member.add',
      target_kind: 'user',
      target_id: user.public_id,
      after: { role, by },
    });
  }
}

/**
 * Removes a user from the team: the attached account and the one with the user's address, since a member whose
 * account address changed may have got another account by signing in. Also ends invitations to these addresses,
 * which would let the user back in. @returns the row's own values if no membership ended @throws {ScimError} 409
 */
export async function revoke(
  provisioning: Provisioning,
  write: Write,
  held: Held,
  row: ScimUserRow,
): Promise<Account> {
  const { user_id, issuer_opens_account, former_role, former_role_synced } = row;
  let ended: Account | undefined;
  const emails = new Set([row.email]);
  for (const account of await accountsOf(write.trx, row)) {
    if (await isOfAnother(write.trx, row, account)) continue;
    emails.add(account.email.toLowerCase());
    const former = await removeAccount(provisioning, write, held, account);
    if (!former || ended) continue;
    const { opened_only_by_issuer, ...role } = former;
    const link = attached(row, account);
    ended = {
      ...link,
      ...role,
      issuer_opens_account: link.issuer_opens_account || opened_only_by_issuer,
    };
  }
  await revokeInvitations(write, held, [...emails]);
  return ended ?? { user_id, issuer_opens_account, former_role, former_role_synced };
}

async function revokeInvitations(
  { trx, audit }: Write,
  { connection, team }: Held,
  emails: readonly string[],
): Promise<void> {
  for (const { public_id, email, role } of await revokeInvitationsTo(trx, team.id, emails))
    await audit({
      action: 'invitation.revoke',
      target_kind: 'invitation',
      target_id: public_id,
      before: { email, role },
      after: { by: connection.public_id },
    });
}

/**
 * Removes an account from the team, with the sessions that the connection opened and its tokens in the team; the
 * account itself stays. Owners stay members: an admin can create the provider's token, and admins can't remove
 * owners.
 * @returns what a reactivation restores; null if it wasn't a member. @throws {ScimError} 409
 */
async function removeAccount(
  { mail }: Provisioning,
  { trx, audit }: Write,
  { connection, team }: Held,
  account: UserRow,
): Promise<
  (Pick<Account, 'former_role' | 'former_role_synced'> & { opened_only_by_issuer: boolean }) | null
> {
  const member = await findMembership(trx, team.id, account.id);
  if (!member) {
    await endSsoLinks(trx, account.id, { team_id: team.id });
    return null;
  }
  const { role } = member;
  if (role === 'owner')
    throw new ScimError(
      409,
      (await countOwners(trx, team.id)) <= 1
        ? `${account.email} is the only owner of the team, and a team needs one. Make another member an owner first.`
        : `${account.email} is an owner of the team, and only an owner can remove one. Change the role first.`,
    );
  const opened_only_by_issuer =
    (await isLinkedMember(trx, connection, account.id)) &&
    !(await hasWayIn(trx, account, { except: connection.id }));
  const { tokens } = await removeMember(trx, team.id, account.id);
  await mail.enqueue(trx, {
    to: account.email,
    template: 'removed_from_team',
    data: { team_name: team.name, by: `The identity provider of ${connection.domain}` },
    user_id: account.id,
    team_id: team.id,
  });
  await audit({
    action: 'member.remove',
    target_kind: 'user',
    target_id: account.public_id,
    before: { role, tokens },
    after: { by: connection.public_id },
  });
  return {
    former_role: role,
    former_role_synced: member.sso_connection_id === connection.id,
    opened_only_by_issuer,
  };
}

const attached = (row: ScimUserRow, { id }: Pick<UserRow, 'id'>) => ({
  user_id: id,
  issuer_opens_account: row.issuer_opens_account && row.user_id === id,
});

/** Returns the account attached to a user, otherwise the one with their address. */
async function accountOf(trx: Write['trx'], row: ScimUserRow): Promise<UserRow | undefined> {
  return (await accountsOf(trx, row))[0];
}

/** Returns the account attached to a user, then the one with their address if different. */
async function accountsOf(trx: Write['trx'], row: ScimUserRow): Promise<UserRow[]> {
  const own = row.user_id === null ? undefined : await findUser(trx, row.user_id);
  const byEmail = await findUserByEmail(trx, row.email);
  return [own, byEmail?.id === own?.id ? undefined : byEmail].filter((account) => account !== undefined);
}

/** Returns whether the account is attached to another user of the provider. */
function isOfAnother(trx: Write['trx'], row: ScimUserRow, account: UserRow): Promise<boolean> {
  const { user_name, email, id: except, connection_id } = row;
  return scimUserTaken(trx, connection_id, { user_name, email, user_id: account.id, except });
}
