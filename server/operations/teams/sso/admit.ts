import type { Tx } from '../../../db/core/client';
import { lockTeam } from '../../../db/teams/members';
import type { UserRow } from '../../../db/accounts/usersTable';
import type { SsoConnectionRow } from '../../../db/teams/ssoConnectionsTable';
import { lockConnection } from '../../../db/teams/sso';
import {
  findMembership,
  findUserBySubject,
  hasWayIn,
  holdAccount,
  insertSsoUser,
  isLinkedMember,
  lockEmail,
  noteIdentityUse,
} from '../../../db/teams/ssoMembers';
import { findProvisioned, isDeprovisioned, mayIssuerOpen } from '../../../db/teams/scimUsers';
import { findUserByEmail } from '../../../db/accounts/users';
import { emailDomain, roleFor, type SsoRole } from '../../../domain/teams/sso';
import { normalEmail, usernameFor } from '../../../domain/accounts/username';
import type { OidcIdentity } from '../../../drivers/oidc';
import type { Context, Write } from '../../types';
import { join, link } from './join';
import { NotAdmitted } from './notAdmitted';
import { closeUnverified, isUnverified } from './unverifiedAccount';

/** A new, provisioned or already linked account signs in. Any other existing account must confirm the link first. */
export type Admission = { kind: 'sign_in'; user: UserRow } | { kind: 'link'; user: UserRow; role: SsoRole };

/** The fields of a connection that a pending sign-in or link depends on. */
export type SeenConnection = Pick<SsoConnectionRow, 'id' | 'team_id' | 'issuer' | 'domain'>;

/**
 * Decides what an identity of the verified domain may do here. The provider's operator chooses every claim,
 * so the identity opens an account only if that account was created for it or has itself agreed. Throws
 * NotAdmitted.
 */
export async function admit(
  ctx: Context,
  { trx, audit }: Write,
  seen: SeenConnection,
  identity: OidcIdentity,
): Promise<Admission> {
  const email = normalEmail(identity.email ?? '');
  await lockEmail(trx, email);
  const linked = await findUserBySubject(trx, seen.id, identity.subject);
  const user = linked ?? (await findUserByEmail(trx, email)) ?? (await findProvisioned(trx, seen.id, email));
  // Locks account, then team, then connection, the same order as address changes and account deletion.
  if (user) await holdAccount(trx, user.id);
  const connection = await holdConnection(trx, seen);
  const role = roleFor(identity.claims, connection);
  // The account may have an address that the user no longer has at the provider.
  const who = { emails: linked ? [email, linked.email] : [email], user_id: user?.id ?? null };
  if (await isDeprovisioned(trx, connection.id, who)) throw new NotAdmitted('deactivated');
  if (linked) {
    const held = await findUserBySubject(trx, connection.id, identity.subject);
    if (held?.id !== linked.id) throw new NotAdmitted('expired');
    await checkLinked(trx, connection, held);
    await noteIdentityUse(trx, connection.id, identity.subject);
    await join(trx, audit, connection, held, role);
    return { kind: 'sign_in', user: held };
  }
  if (user) {
    if (user.state !== 'active') throw new NotAdmitted('account_closed');
    // The provider reassigned the address to another subject while its former holder is still in the team.
    if (await isLinkedMember(trx, connection, user.id)) throw new NotAdmitted('other_person');
    if (await wasMadeFor(trx, connection, user)) {
      await link(ctx, { trx, audit }, connection, user, identity.subject);
      await join(trx, audit, connection, user, role);
      return { kind: 'sign_in', user };
    }
    if (!(await isUnverified(trx, user))) return { kind: 'link', user, role };
  }
  if (ctx.config.registration === 'off') throw new NotAdmitted('registration_closed');
  if (user) await closeUnverified(trx, audit, user);
  const made = await insertSsoUser(trx, {
    email,
    username: usernameFor(email, identity.name ?? undefined),
  });
  // The address was registered by another user between the check and the insert.
  if (!made) throw new NotAdmitted('expired');
  await audit({
    action: 'user.register',
    target_kind: 'user',
    target_id: made.public_id,
    actor_user_id: made.id,
    team_id: connection.team_id,
    after: { connection: connection.public_id },
  });
  await link(ctx, { trx, audit }, connection, made, identity.subject);
  await join(trx, audit, connection, made, role);
  return { kind: 'sign_in', user: made };
}

/** Locks the connection until the transaction ends. Throws NotAdmitted if it changed since the sign-in started. */
export async function holdConnection(trx: Tx, seen: SeenConnection) {
  const team = await lockTeam(trx, seen.team_id);
  const connection = team && (await lockConnection(trx, team.id));
  if (
    !connection ||
    connection.id !== seen.id ||
    connection.issuer !== seen.issuer ||
    connection.domain !== seen.domain ||
    connection.domain_verified_at === null
  )
    throw new NotAdmitted('unavailable');
  if (connection.suspended_at !== null) throw new NotAdmitted('suspended');
  return { ...connection, team_name: team.name, slug: team.slug };
}

/** A link ends with the membership and the address; one that outlived either gives no access. */
async function checkLinked(trx: Tx, connection: SsoConnectionRow, user: UserRow): Promise<void> {
  if (user.state !== 'active') throw new NotAdmitted('account_closed');
  if (!(await findMembership(trx, connection.team_id, user.id))) throw new NotAdmitted('not_member');
  if (emailDomain(user.email) !== connection.domain) throw new NotAdmitted('address_left');
}

/**
 * Returns whether the provider created (SCIM) or reactivated the account and no user has made it their own. Its
 * owner then has no other way to sign in and confirm the link.
 */
async function wasMadeFor(trx: Tx, connection: SsoConnectionRow, user: UserRow): Promise<boolean> {
  return (
    user.platform_role === null &&
    emailDomain(user.email) === connection.domain &&
    (await mayIssuerOpen(trx, connection.id, user.id)) &&
    (await findMembership(trx, connection.team_id, user.id)) !== undefined &&
    !(await hasWayIn(trx, user))
  );
}
