import type { RegisterUser } from '../../../generated/api/types.gen';
import type { Tx } from '../../db/client';
import { openInvitation } from '../../db/invitations';
import { createMailLink } from '../../db/mailLinks';
import { createTeam } from '../../db/teams';
import { createUser } from '../../db/users';
import { deviceCookieName, rememberDevice } from '../../domain/knownDevice';
import { hashPassword } from '../../domain/password';
import { Problem } from '../../domain/problem';
import type { UserRow } from '../../db/schema';
import { normalEmail, usernameFor } from '../../domain/username';
import { answerNotBefore } from '../shared/floor';
import { invitationHash, joinByInvitation } from '../shared/invitation';
import { mayMail } from '../shared/mailLimit';
import { originOf } from '../shared/origin';
import { acceptable } from '../shared/password';
import { openSession } from '../shared/session';
import type { Context, Handler, Write } from '../types';

/**
 * Makes the account and its team in one transaction. For an address that has an account nothing changes, not even its
 * password; its owner is told by mail, and who asked gets the answer that everybody gets, no sooner and no later.
 */
export const registerUser: Handler<'registerUser'> = ({ body, ctx }) =>
  answerNotBefore(async () => {
    const email = normalEmail(body.email);
    await acceptable('password', body.password, email);
    if (body.invitation_token !== undefined) await checkInvitation(ctx, email, body.invitation_token);
    const password_hash = await hashPassword(body.password);
    return ctx.write((write) => register(ctx, write, { ...body, email }, password_hash));
  });

/** Looked at before the account is looked for, so that it says nothing of it. @throws LINK_INVALID, WRONG_ACCOUNT */
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
  const username = usernameFor(email, name);
  const { adminEmail, smtpUrl, agentFramework } = ctx.config;
  // Where no mail is sent the first person could not confirm: whoever sets up the server is who they say.
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
    return { status: 201, body: { outcome: 'check_email' } } as const;
  }
  const { user, first } = made;
  const team = await createTeam(trx, {
    name: username,
    owner_id: user.id,
    is_default: true,
    reserved: [agentFramework],
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
    return { status: 201, body: { outcome: 'check_email' } } as const;
  }
  const auth_method = invited ? 'invitation' : 'registration';
  const cookie = await openSession(ctx, trx, user.id, { auth_method });
  await audit({ ...actor, team_id: team.id, action: 'session.create', after: { auth_method } });
  // From now on wrong guesses of strangers make strangers wait, not this browser.
  const { publicUrl } = ctx.config;
  const device = rememberDevice(ctx.seal, publicUrl, ctx.cookie(deviceCookieName(publicUrl)), user.public_id);
  const headers = { 'Set-Cookie': [cookie, device] };
  return { status: 201, body: { outcome: 'signed_in' }, headers } as const;
}

async function mailVerification(ctx: Context, trx: Tx, user: UserRow): Promise<void> {
  if (!(await mayMail(trx, 'register', user.email))) return;
  const link = await createMailLink(trx, { purpose: 'verify_email', user_id: user.id, email: user.email });
  await ctx.mail.enqueue(trx, { to: user.email, template: 'verify_email', data: link, user_id: user.id });
}
