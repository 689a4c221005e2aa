import type { EmailVerification } from '../../../generated/api/types.gen';
import { lockUser } from '../../db/accounts';
import { brokenConstraint } from '../../db/client';
import { confirmEmailChange, dropEmailChange } from '../../db/emailChanges';
import { dropMailLinks, linkHash, takeMailLink, type MailLinkRow } from '../../db/mailLinks';
import type { UserRow } from '../../db/schema';
import { removeWaysIn } from '../../db/ssoMembers';
import { setEmail, setPassword, setPlatformRole, setVerified } from '../../db/users';
import { Problem } from '../../domain/problem';
import { originOf } from '../shared/origin';
import type { Context, Handler, Write } from '../types';

const PURPOSES = ['verify_email', 'email_change_old', 'email_change_new'] as const;

/** A link that was mailed has come back, so whoever sends it has the mailbox. It works once. */
export const verifyEmail: Handler<'verifyEmail'> = async ({ body, ctx }) => {
  const token_hash = linkHash(body.token);
  if (!token_hash) throw new Problem('LINK_INVALID');
  const outcome = await ctx
    .write(async (write) => {
      const link = await takeMailLink(write.trx, token_hash, PURPOSES);
      const user = link && (await lockUser(write.trx, link.user_id));
      if (!link || user?.state !== 'active') throw new Problem('LINK_INVALID');
      const registering = link.purpose === 'verify_email';
      const done = body.decline ? (registering ? disown : decline) : registering ? verify : confirm;
      return { outcome: await done(ctx, write, user, link), email: link.email };
    })
    .catch((error: unknown) => {
      // Somebody registered the address between the look and the change.
      throw brokenConstraint(error) === 'users_email' ? addressTaken() : error;
    });
  if (outcome.outcome === 'taken') throw addressTaken();
  return { status: 200, body: { outcome: outcome.outcome, email: outcome.email } };
};

type Outcome = EmailVerification['outcome'] | 'taken';
type Step = (ctx: Context, write: Write, user: UserRow, link: MailLinkRow) => Promise<Outcome>;

const who = (user: UserRow) => ({
  actor_user_id: user.id,
  target_kind: 'user',
  target_id: user.public_id,
  team_id: null,
});

const verify: Step = async (ctx, { trx, audit }, user, link) => {
  // A link to an address that the account has left proves nothing about the one it has.
  if (user.email !== link.email) throw new Problem('LINK_INVALID');
  await setVerified(trx, user.id);
  const platform_role = await promote(ctx, { trx }, user, link.email);
  await audit({ ...who(user), action: 'user.verify_email', after: { email: link.email, platform_role } });
  return 'verified';
};

/**
 * Whoever has the mailbox did not make the account: who did is shut out of it. It stays as it is otherwise, unconfirmed,
 * and becomes theirs by a reset link only.
 */
const disown: Step = async (_ctx, { trx, audit }, user, link) => {
  if (user.email !== link.email || user.email_verified_at) throw new Problem('LINK_INVALID');
  await setPassword(trx, user.id, null);
  await removeWaysIn(trx, user.id);
  await audit({ ...who(user), action: 'user.disown', before: { email: link.email } });
  return 'disowned';
};

const decline: Step = async (_ctx, { trx, audit }, user, link) => {
  if (!(await dropEmailChange(trx, user.id))) throw new Problem('LINK_INVALID');
  await audit({ ...who(user), action: 'user.email_change_decline', before: { asked: link.email } });
  return 'declined';
};

const confirm: Step = async (ctx, { trx, audit }, user, link) => {
  const old_email = user.email;
  const new_email = link.purpose === 'email_change_new' ? link.email : null;
  const change = await confirmEmailChange(trx, user.id, new_email);
  if (!change) throw new Problem('LINK_INVALID');
  if (!change.old_confirmed_at || !change.new_confirmed_at) {
    await audit({ ...who(user), action: 'user.email_change_confirm', after: { address: link.email } });
    return 'half';
  }
  await dropEmailChange(trx, user.id);
  // Both mailboxes are this person's, so telling them that one has another account tells nobody else.
  if (!(await setEmail(trx, user.id, change.email))) {
    await audit({ ...who(user), action: 'user.email_change_taken', after: { email: change.email } });
    return 'taken';
  }
  // Links in the old mailbox are not the person's way in any more.
  await dropMailLinks(trx, user.id);
  const platform_role = await promote(ctx, { trx }, user, change.email);
  await audit({
    ...who(user),
    action: 'user.email_change',
    before: { email: old_email },
    after: { email: change.email, platform_role },
  });
  const data = { ...originOf(ctx), old_email, new_email: change.email };
  for (const to of [old_email, change.email])
    await ctx.mail.enqueue(trx, { to, template: 'email_changed', data, user_id: user.id });
  return 'changed';
};

/** The person named as administrator, now that the address is shown to be theirs. */
async function promote(ctx: Context, { trx }: Pick<Write, 'trx'>, user: UserRow, email: string) {
  if (email !== ctx.config.adminEmail) return user.platform_role;
  await setPlatformRole(trx, user.id, 'admin');
  return 'admin';
}

const addressTaken = () =>
  new Problem('CONFLICT', {
    message: 'Another account has the new address. The change is given up.',
    suggestions: ['Delete the other account first, or choose another address.'],
  });
