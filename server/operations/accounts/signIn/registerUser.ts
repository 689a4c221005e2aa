import type { RegisterUser } from '../../../../generated/api/types.gen';
import type { Tx } from '../../../db/core/client';
import { openInvitation } from '../../../db/teams/invitations';
import { createMailLink } from '../../../db/accounts/mailLinks';
import { createTeam } from '../../../db/teams/teams';
import { createUser } from '../../../db/accounts/users';
import { hashPassword } from '../../../domain/accounts/password';
import { Problem } from '../../../domain/core/problem';
import { publicId } from '../../../domain/core/publicId';
import type { UserRow } from '../../../db/accounts/usersTable';
import { normalEmail, usernameFor } from '../../../domain/accounts/username';
import { answerNotBefore } from '../../core/minimumDuration';
import { invitationHash, joinByInvitation } from '../../core/invitation';
import { mayMail } from '../../core/mailLimit';
import { originOf } from '../../core/origin';
import { acceptable } from '../../core/password';
import { requireSignUp } from '../../core/registration';
import { openSession } from '../../core/session';
import { knownDeviceCookie } from '../../core/signIn';
import type { Context, Handler, Write } from '../../types';

/**
 * Creates the account and its team in one transaction. If the address already has an account, nothing
 * changes, not even the password: its owner is notified by email, and the caller gets the usual answer after
 * the usual time.
 */
export const registerUser: Handler<'registerUser'> = ({ body, ctx }) =>
  answerNotBefore(async () => {
    const email = normalEmail(body.email);
    const invited = body.invitation_token !== undefined;
    await requireSignUp(ctx.config, { email, invited }, { db: ctx.db });
    if (body.invitation_token !== undefined) await checkInvitation(ctx, email, body.invitation_token);
    await acceptable('password', body.password, email);
    const password_hash = await hashPassword(body.password);
    return ctx.write((write) => register(ctx, write, { ...body, email }, password_hash));
  });

/**
 * Runs before the account lookup, so that it reveals nothing about accounts. @throws LINK_INVALID,
 * WRONG_ACCOUNT
 */
async function checkInvitation(ctx: Context, email: string, token: string): Promise<void> {
  const { invitation } = await openInvitation(ctx.db, invitationHash(token));
  if (invitation.email.toLowerCase() !== email) throw new Problem('WRONG_ACCOUNT');
}

async function register(
  ctx: Context,
  write: Write,
  { email, name, invitation_token }: Pick<RegisterUser, 'email' | 'name' | 'invitation_token'>,
  password_hash: string,
) {
  const { trx, audit } = write;
  const invited = invitation_token !== undefined;
  await requireSignUp(ctx.config, { email, invited }, { trx });
  const username = usernameFor(email, name);
  const { adminEmail, smtpUrl, agentFramework, teamQuota } = ctx.config;
  // Without a mail server, the first user can't confirm an address; the operator setting up the server is trusted.
  const verified = smtpUrl === undefined;
  const made = await createUser(trx, {
    email,
    username,
    password_hash,
    verified: invited,
    admin: invited && email === adminEmail,
    first: { verified, admin: adminEmail === undefined || (verified && email === adminEmail) },
  });
  if (!made) {
    await audit({ action: 'user.register_again', team_id: null });
    if (await mayMail(trx, 'register', email))
      await ctx.mail.enqueue(trx, { to: email, template: 'account_exists', data: originOf(ctx) });
    return checkEmail(ctx, publicId('usr'));
  }
  const { user, first } = made;
  const team = await createTeam(trx, {
    name: username,
    owner_id: user.id,
    is_default: true,
    reserved: [agentFramework],
    quota: user.platform_role === 'admin' ? null : teamQuota,
  });
  if (!team) throw new Error('no free address for a default team');
  const actor = { actor_user_id: user.id, target_kind: 'user', target_id: user.public_id };
  const { platform_role } = user;
  await audit({
    ...actor,
    team_id: team.id,
    action: 'user.register',
    after: { username, platform_role, team: team.slug },
  });
  if (invited) {
    await joinByInvitation(ctx, write, invitation_token, user);
  } else if (!(first && verified)) {
    await mailVerification(ctx, trx, user);
    return checkEmail(ctx, user.public_id);
  }
  const auth_method = invited ? 'invitation' : 'registration';
  const cookie = await openSession(ctx, trx, user.id, { auth_method });
  await audit({
    ...actor,
    actor_kind: 'user',
    team_id: team.id,
    action: 'session.create',
    after: { auth_method },
  });
  // From now on, wrong guesses from elsewhere delay other browsers but not this one.
  const headers = { 'Set-Cookie': [cookie, knownDeviceCookie(ctx, user)] };
  return { status: 201, body: { outcome: 'signed_in' }, headers } as const;
}

/**
 * Remembers the browser that registered: an address confirmed elsewhere requires a new password
 * (verifyEmail). If the address has an account, the cookie names one that doesn't exist, so both cases look
 * alike.
 */
const checkEmail = (ctx: Context, public_id: string) =>
  ({
    status: 201,
    body: { outcome: 'check_email' },
    headers: { 'Set-Cookie': knownDeviceCookie(ctx, { public_id }) },
  }) as const;

async function mailVerification(ctx: Context, trx: Tx, user: UserRow): Promise<void> {
  if (!(await mayMail(trx, 'register', user.email))) return;
  const link = await createMailLink(trx, { purpose: 'verify_email', user_id: user.id, email: user.email });
  await ctx.mail.enqueue(trx, { to: user.email, template: 'verify_email', data: link, user_id: user.id });
}
