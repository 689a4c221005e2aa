import type { Tx } from '../../db/client';
import type { UserRow } from '../../db/schema';
import type { SsoConnectionRow } from '../../db/schemaSso';
import { lockConnection, type ConnectionTeam } from '../../db/sso';
import {
  findMembership,
  findUserBySubject,
  insertMembership,
  insertSsoUser,
  isLinkedMember,
  linkIdentity,
  lockEmail,
  setMemberRole,
  takeOverUnverified,
} from '../../db/ssoMembers';
import { findUserByEmail } from '../../db/users';
import { roleFor } from '../../domain/sso';
import { normalEmail, usernameFor } from '../../domain/username';
import type { OidcIdentity } from '../../drivers/oidc';
import type { Write } from '../types';

/** Why nobody is signed in; a word of the page's address, so that the page can say it in a sentence. */
export type SsoFailure =
  | 'expired'
  | 'unavailable'
  | 'provider_down'
  | 'provider_error'
  | 'denied'
  | 'rejected'
  | 'no_email'
  | 'other_domain'
  | 'email_unverified'
  | 'other_person'
  | 'account_closed';

export class NotAdmitted extends Error {
  constructor(readonly reason: SsoFailure) {
    super(reason);
    this.name = 'NotAdmitted';
  }
}

/**
 * The account behind an identity of the verified domain, made if there is none, and its membership with the role the
 * provider gives. Throws NotAdmitted.
 */
export async function admit(
  trx: Tx,
  audit: Write['audit'],
  seen: ConnectionTeam,
  identity: OidcIdentity,
): Promise<UserRow> {
  // While the person was at the provider the connection may have become another.
  const connection = await lockConnection(trx, seen.team_id);
  if (
    connection?.id !== seen.id ||
    connection.issuer !== seen.issuer ||
    connection.domain !== seen.domain ||
    connection.domain_verified_at === null
  )
    throw new NotAdmitted('unavailable');
  const user =
    (await findUserBySubject(trx, connection.id, identity.subject)) ??
    (await accountOf(trx, audit, connection, identity));
  if (user.state !== 'active') throw new NotAdmitted('account_closed');
  await linkIdentity(trx, { connection_id: connection.id, subject: identity.subject, user_id: user.id });
  await join(trx, audit, connection, user, identity);
  return user;
}

/** By e-mail, the first time only: from then on the subject says who it is, whatever address the provider names. */
async function accountOf(
  trx: Tx,
  audit: Write['audit'],
  connection: SsoConnectionRow,
  identity: OidcIdentity,
): Promise<UserRow> {
  const email = normalEmail(identity.email ?? '');
  await lockEmail(trx, email);
  const made = await insertSsoUser(trx, { email, username: usernameFor(email, identity.name ?? undefined) });
  const user = made ?? (await findUserByEmail(trx, email));
  if (!user) throw new NotAdmitted('unavailable');
  const who = {
    target_kind: 'user',
    target_id: user.public_id,
    actor_user_id: user.id,
    team_id: connection.team_id,
  };
  const after = { connection: connection.public_id };
  if (made) {
    await audit({ ...who, action: 'user.register', after });
    return made;
  }
  // The address went to somebody else at the provider; who had it is still in the team.
  if (await isLinkedMember(trx, connection, user.id)) throw new NotAdmitted('other_person');
  if (user.email_verified_at === null) await takeOverUnverified(trx, user.id);
  await audit({ ...who, action: 'sso.link', after });
  return user;
}

async function join(
  trx: Tx,
  audit: Write['audit'],
  connection: SsoConnectionRow,
  user: UserRow,
  identity: OidcIdentity,
): Promise<void> {
  const { id: connection_id, team_id } = connection;
  const role = roleFor(identity.claims, connection);
  const held = await findMembership(trx, team_id, user.id);
  const who = {
    target_kind: 'user',
    target_id: user.public_id,
    actor_user_id: user.id,
    team_id,
  };
  if (!held) {
    await insertMembership(trx, { team_id, user_id: user.id, role, connection_id });
    await audit({ ...who, action: 'member.add', after: { role, by: connection.public_id } });
    return;
  }
  // Roles that people gave are theirs to change, and an owner's always is.
  if (held.sso_connection_id !== connection_id || held.role === 'owner' || held.role === role) return;
  await setMemberRole(trx, team_id, user.id, role);
  await audit({
    ...who,
    action: 'member.role',
    before: { role: held.role },
    after: { role, by: connection.public_id },
  });
}
