import type { EmailVerification } from '../../../../generated/api/types.gen';
import { lockUser } from '../../../db/accounts/accounts';
import { brokenConstraint } from '../../../db/core/client';
import { confirmEmailChange, dropEmailChange } from '../../../db/accounts/emailChanges';
import {
  createMailLink,
  dropMailLinks,
  linkHash,
  takeMailLink,
  type MailLinkRow,
} from '../../../db/accounts/mailLinks';
import type { UserRow } from '../../../db/accounts/usersTable';
import { removeWaysIn, takeOverUnverified } from '../../../db/teams/ssoMembers';
import { setEmail, setPassword, setPlatformRole, setVerified } from '../../../db/accounts/users';
import { deviceCookieName, knownDevice } from '../../../domain/accounts/knownDevice';
import { Problem } from '../../../domain/core/problem';
import { countingLinks } from '../../core/guessing';
import { originOf } from '../../core/origin';
import type { Context, Handler, Write } from '../../types';

const PURPOSES = ['verify_email', 'email_change_old', 'email_change_new'] as const;

/** An emailed link came back, which proves access to the mailbox. It works only once. */
export const verifyEmail: Handler<'verifyEmail'> = countingLinks(async ({ body, ctx }) => {
  const token_hash = linkHash(body.token);
  if (!token_hash) throw new Problem('LINK_INVALID');
  const outcome = await ctx
    .write(async (write) => {
      const link = await takeMailLink(write.trx, token_hash, PURPOSES);
      const user = link && (await lockUser(write.trx, link.user_id));
      if (!link || user?.state !== 'active') throw new Problem('LINK_INVALID');
      const registering = link.purpose === 'verify_email';
      const done = body.decline ? (registering ? disown : decline) : registering ? verify : confirm;
      return { ...(await done(ctx, write, user, link)), email: link.email };
    })
    .catch((error: unknown) => {
      // The address was registered by another user between the check and the change.
      throw brokenConstraint(error) === 'users_email' ? addressTaken() : error;
    });
  if (outcome.outcome === 'taken') throw addressTaken();
  const { email, password_token = null } = outcome;
  return { status: 200, body: { outcome: outcome.outcome, email, password_token } };
});

interface Outcome {
  outcome: EmailVerification['outcome'] | 'taken';
  password_token?: string;
}
type Step = (ctx: Context, write: Write, user: UserRow, link: MailLinkRow) => Promise<Outcome>;

const who = (user: UserRow) => ({
  actor_user_id: user.id,
  target_kind: 'user',
  target_id: user.public_id,
  team_id: null,
});

const verify: Step = async (ctx, { trx, audit }, user, link) => {
  // A link to the account's former address proves nothing about the current one.
  if (user.email !== link.email) throw new Problem('LINK_INVALID');
  const taken_over = isUnclaimed(ctx, user);
  const done: Outcome = taken_over ? await takeOver(trx, user, link.email) : { outcome: 'verified' };
  if (!taken_over) await setVerified(trx, user.id);
  const platform_role = await promote(ctx, { trx }, user, link.email);
  const after = { email: link.email, platform_role, taken_over };
  await audit({ ...who(user), action: 'user.verify_email', after });
  return done;
};

/**
 * Returns whether the account was never confirmed and this browser neither registered it nor signed in to
 * it. Another user may have registered the address, so its owner's confirmation must not leave that user
 * signed in.
 */
function isUnclaimed(ctx: Context, user: UserRow): boolean {
  if (user.email_verified_at !== null) return false;
  const { caller, config, seal } = ctx;
  if (caller.session && !caller.view_as && caller.user?.id === user.id) return false;
  return knownDevice(seal, ctx.cookie(deviceCookieName(config.publicUrl)), user.public_id) === null;
}

/** Confirms the address and deletes every means of access; the mailbox owner sets a password with the token. */
async function takeOver(trx: Write['trx'], user: UserRow, email: string): Promise<Outcome> {
  await takeOverUnverified(trx, user.id);
  const { token } = await createMailLink(trx, { purpose: 'reset_password', user_id: user.id, email });
  return { outcome: 'new_password', password_token: token };
}

/**
 * The mailbox owner didn't create the account, so the registrant is locked out. The account is otherwise
 * unchanged and unconfirmed; the owner can claim it only with a reset link.
 */
const disown: Step = async (_ctx, { trx, audit }, user, link) => {
  if (user.email !== link.email || user.email_verified_at) throw new Problem('LINK_INVALID');
  await setPassword(trx, user.id, null);
  await removeWaysIn(trx, user.id);
  await audit({ ...who(user), action: 'user.disown', before: { email: link.email } });
  return { outcome: 'disowned' };
};

const decline: Step = async (_ctx, { trx, audit }, user, link) => {
  if (!(await dropEmailChange(trx, user.id))) throw new Problem('LINK_INVALID');
  await audit({ ...who(user), action: 'user.email_change_decline', before: { asked: link.email } });
  return { outcome: 'declined' };
};

const confirm: Step = async (ctx, { trx, audit }, user, link) => {
  const old_email = user.email;
  const new_email = link.purpose === 'email_change_new' ? link.email : null;
  const change = await confirmEmailChange(trx, user.id, new_email);
  if (!change) throw new Problem('LINK_INVALID');
  if (!change.old_confirmed_at || !change.new_confirmed_at) {
    await audit({ ...who(user), action: 'user.email_change_confirm', after: { address: link.email } });
    return { outcome: 'half' };
  }
  await dropEmailChange(trx, user.id);
  // Both mailboxes belong to this user, so mentioning the other account reveals nothing to anyone else.
  if (!(await setEmail(trx, user.id, change.email))) {
    await audit({ ...who(user), action: 'user.email_change_taken', after: { email: change.email } });
    return { outcome: 'taken' };
  }
  // Links in the old mailbox no longer give access.
  await dropMailLinks(trx, user.id);
  const taken_over = isUnclaimed(ctx, user);
  const done: Outcome = taken_over ? await takeOver(trx, user, change.email) : { outcome: 'changed' };
  // The holder of a confirmed account can request any address and keeps their access when its owner
  // confirms: the first to request it would become administrator.
  const platform_role =
    user.email_verified_at === null ? await promote(ctx, { trx }, user, change.email) : user.platform_role;
  await audit({
    ...who(user),
    action: 'user.email_change',
    before: { email: old_email },
    after: { email: change.email, platform_role, taken_over },
  });
  const data = { ...originOf(ctx), old_email, new_email: change.email };
  for (const to of [old_email, change.email])
    await ctx.mail.enqueue(trx, { to, template: 'email_changed', data, user_id: user.id });
  return done;
};

/** Promotes the user configured as administrator, now that the address is verified. */
async function promote(ctx: Context, { trx }: Pick<Write, 'trx'>, user: UserRow, email: string) {
  if (email !== ctx.config.adminEmail) return user.platform_role;
  await setPlatformRole(trx, user.id, 'admin');
  return 'admin';
}

const addressTaken = () =>
  new Problem('CONFLICT', {
    message: 'Another account uses the new address. The change was canceled.',
    suggestions: ['Delete the other account first, or choose another address.'],
  });
