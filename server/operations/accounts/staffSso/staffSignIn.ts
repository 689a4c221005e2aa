import { safeNext, twoFactorPath } from '../../../../console/lib/paths';
import { lockUser } from '../../../db/accounts/adminUsers';
import {
  findUserByStaffSubject,
  hasStaffIdentity,
  linkStaffIdentity,
  noteStaffIdentityUse,
} from '../../../db/accounts/staffIdentities';
import { findUserByEmail, setPlatformRole } from '../../../db/accounts/users';
import type { UserRow } from '../../../db/accounts/usersTable';
import type { SsoSignInRow } from '../../../db/teams/ssoSignInsTable';
import { insertSsoUser, lockEmail } from '../../../db/teams/ssoMembers';
import { staffRoleFor } from '../../../domain/accounts/staffSso';
import { normalEmail, usernameFor } from '../../../domain/accounts/username';
import type { PlatformRole } from '../../../domain/core/caller';
import { isMailAddress } from '../../../domain/notifications/mail/plain';
import type { OidcIdentity } from '../../../drivers/oidc';
import { originOf } from '../../core/origin';
import { isOnlyAdmin } from '../../core/platformAdmin';
import { completeSignIn } from '../../core/signIn';
import type { Context, Write } from '../../types';
import { NotAdmitted } from '../../teams/sso/notAdmitted';

export type StaffSso = NonNullable<Context['config']['staffSso']>;

/**
 * Opens a staff session, or one that is waiting for its second factor. The operator runs the provider, so it may
 * assign roles; it still opens no ordinary user's account. @throws NotAdmitted
 */
export async function enterStaff(
  ctx: Context,
  sso: StaffSso,
  sent: SsoSignInRow,
  identity: OidcIdentity,
): Promise<{ location: string; cookies: string[] }> {
  const next = safeNext(sent.next) ?? '/admin';
  const entered = await ctx.write(async (write) => {
    const user = await admitStaff(ctx, write, sso, identity);
    const role = await applyRole(ctx, write, sso, user, identity);
    // The role's removal must be committed, so refuse after the transaction.
    if (role === null) return null;
    const { status, cookies } = await completeSignIn(ctx, write.trx, {
      user_id: user.id,
      method: 'staff_sso',
    });
    await write.audit({
      action: status === 'signed_in' ? 'session.create' : 'session.second_factor_asked',
      target_kind: 'user',
      target_id: user.public_id,
      actor_kind: 'user',
      actor_user_id: user.id,
      team_id: null,
      after: { method: 'staff_sso', issuer: sso.issuer, platform_role: role },
    });
    return { location: status === 'signed_in' ? next : twoFactorPath(next), cookies };
  });
  if (entered === null) throw new NotAdmitted('not_staff');
  return entered;
}

/**
 * Returns the identity's account, locked: the linked one, or at first sign-in the one with the same address. An
 * account is linked only if it already has a platform role, so that the provider's operator can't open accounts
 * of users who aren't staff.
 */
async function admitStaff(
  ctx: Context,
  { trx, audit }: Write,
  sso: StaffSso,
  identity: OidcIdentity,
): Promise<UserRow> {
  const { issuer } = sso;
  const { subject } = identity;
  const email = normalEmail(identity.email ?? '');
  await lockEmail(trx, email);
  const linked = await findUserByStaffSubject(trx, { issuer, subject });
  if (linked) {
    const user = await lockUser(trx, linked.id);
    if (user?.state !== 'active') throw new NotAdmitted('account_closed');
    await noteStaffIdentityUse(trx, { issuer, subject });
    return user;
  }
  if (identity.email === null || !isMailAddress(email)) throw new NotAdmitted('no_email');
  if (identity.email_verified !== true) throw new NotAdmitted('email_unverified');
  const found =
    (await findUserByEmail(trx, email)) ?? (await register(ctx, { trx, audit }, sso, identity, email));
  const user = await lockUser(trx, found.id);
  if (user?.state !== 'active') throw new NotAdmitted('account_closed');
  if (user.platform_role === null || user.email_verified_at === null) throw new NotAdmitted('not_staff');
  // The provider reassigned the address to another subject. An administrator decides whether it's the same user.
  if (await hasStaffIdentity(trx, issuer, user.id)) throw new NotAdmitted('other_person');
  await linkStaffIdentity(trx, { issuer, subject, user_id: user.id });
  await audit({
    action: 'staff_sso.link',
    target_kind: 'user',
    target_id: user.public_id,
    actor_user_id: user.id,
    team_id: null,
    after: { issuer },
  });
  await ctx.mail.enqueue(trx, {
    to: user.email,
    template: 'staff_sso_linked',
    data: { ...originOf(ctx), name: sso.name, issuer },
    user_id: user.id,
  });
  return user;
}

/** Creates an account for new staff, only if the claims map to a role and registration isn't off. */
async function register(
  ctx: Context,
  { trx, audit }: Write,
  sso: StaffSso,
  identity: OidcIdentity,
  email: string,
): Promise<UserRow> {
  const platform_role = mappedRole(sso, identity);
  if (platform_role === undefined || platform_role === null) throw new NotAdmitted('not_staff');
  if (ctx.config.registration === 'off') throw new NotAdmitted('registration_closed');
  const made = await insertSsoUser(trx, {
    email,
    username: usernameFor(email, identity.name ?? undefined),
  });
  if (!made) throw new NotAdmitted('expired');
  await setPlatformRole(trx, made.id, platform_role);
  await audit({
    action: 'user.register',
    target_kind: 'user',
    target_id: made.public_id,
    actor_user_id: made.id,
    team_id: null,
    after: { username: made.username, platform_role, by: sso.issuer },
  });
  return { ...made, platform_role };
}

/** Undefined if the provider doesn't assign roles. */
const mappedRole = ({ role_claim, role_rules }: StaffSso, { claims }: OidcIdentity) =>
  role_claim === null ? undefined : staffRoleFor(claims, { role_claim, role_rules });

/**
 * Applies the role from the claims to the account and returns it. The last administrator keeps the role: a wrong
 * claim must not leave the server without one.
 */
async function applyRole(
  ctx: Context,
  { trx, audit }: Write,
  sso: StaffSso,
  user: UserRow,
  identity: OidcIdentity,
): Promise<PlatformRole | null> {
  const wanted = mappedRole(sso, identity);
  if (wanted === undefined || wanted === user.platform_role) {
    // Nothing audited has been written yet, so the refusal can roll back.
    if (user.platform_role === null) throw new NotAdmitted('not_staff');
    return user.platform_role;
  }
  if (wanted !== 'admin' && (await isOnlyAdmin(trx, user))) {
    ctx.log.warn({ user: user.public_id, role: wanted }, 'the last administrator keeps the role');
    return user.platform_role;
  }
  await setPlatformRole(trx, user.id, wanted);
  await audit({
    action: 'user.update',
    target_kind: 'user',
    target_id: user.public_id,
    actor_user_id: user.id,
    team_id: null,
    before: { platform_role: user.platform_role },
    after: { platform_role: wanted, by: sso.issuer },
  });
  return wanted;
}
