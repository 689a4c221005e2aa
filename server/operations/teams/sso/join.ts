import type { Tx } from '../../../db/core/client';
import type { UserRow } from '../../../db/accounts/usersTable';
import type { ConnectionTeam } from '../../../db/teams/sso';
import { attachScimUser } from '../../../db/teams/scimUsers';
import { findMembership, insertMembership, linkIdentity, setMemberRole } from '../../../db/teams/ssoMembers';
import type { SsoRole } from '../../../domain/teams/sso';
import { originOf } from '../../core/origin';
import type { Context, Write } from '../../types';

type Connection = Pick<ConnectionTeam, 'id' | 'public_id' | 'team_id' | 'domain' | 'team_name' | 'slug'>;

/** Links a subject to an account and notifies the account's owner by email. */
export async function link(
  ctx: Pick<Context, 'mail' | 'ip' | 'user_agent'>,
  { trx, audit }: Write,
  connection: Connection,
  user: UserRow,
  subject: string,
): Promise<void> {
  await linkIdentity(trx, { connection_id: connection.id, subject, user_id: user.id });
  await audit({
    action: 'sso.link',
    target_kind: 'user',
    target_id: user.public_id,
    actor_user_id: user.id,
    team_id: connection.team_id,
    after: { connection: connection.public_id },
  });
  await ctx.mail.enqueue(trx, {
    to: user.email,
    template: 'sso_linked',
    data: { ...originOf(ctx), team_name: connection.team_name, domain: connection.domain },
    user_id: user.id,
    team_id: connection.team_id,
  });
}

/**
 * Adds or updates the membership with the provider's role. A user provisioned with the address is no longer
 * pending.
 */
export async function join(
  trx: Tx,
  audit: Write['audit'],
  { id: connection_id, public_id, team_id }: Connection,
  user: UserRow,
  role: SsoRole,
): Promise<void> {
  const held = await findMembership(trx, team_id, user.id);
  await attachScimUser(trx, connection_id, user);
  const who = { target_kind: 'user', target_id: user.public_id, actor_user_id: user.id, team_id };
  if (!held) {
    await insertMembership(trx, { team_id, user_id: user.id, role, connection_id });
    await audit({ ...who, action: 'member.add', after: { role, by: public_id } });
    return;
  }
  // Roles set by members, and those of owners, aren't changed by the provider.
  if (held.sso_connection_id !== connection_id || held.role === 'owner' || held.role === role) return;
  await setMemberRole(trx, team_id, user.id, role);
  await audit({
    ...who,
    action: 'member.role',
    before: { role: held.role },
    after: { role, by: public_id },
  });
}
