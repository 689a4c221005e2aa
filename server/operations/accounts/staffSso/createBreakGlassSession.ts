import { administratorsToNotify, takeBreakGlassLink } from '../../../db/accounts/breakGlass';
import { lockUser } from '../../../db/accounts/accounts';
import { PENDING_SIGN_IN_SECONDS } from '../../../domain/accounts/sessionCookie';
import { BREAK_GLASS_SESSION_SECONDS } from '../../../domain/accounts/staffSso';
import { Problem } from '../../../domain/core/problem';
import { hashToken, isWellFormedToken } from '../../../domain/teams/token';
import { countingLinks } from '../../core/guessing';
import { originOf } from '../../core/origin';
import { sessionView } from '../../core/session';
import { completeSignIn } from '../../core/signIn';
import type { Handler } from '../../types';

/** Opens an administrator's session without staff SSO. The link is used up in the same transaction. */
export const createBreakGlassSession: Handler<'createBreakGlassSession'> = countingLinks(
  async ({ body, ctx }) => {
    if (!isWellFormedToken(body.token)) throw new Problem('LINK_INVALID');
    const { signed, user } = await ctx.write(async ({ trx, audit }) => {
      const link = await takeBreakGlassLink(
        trx,
        hashToken(body.token),
        BREAK_GLASS_SESSION_SECONDS + PENDING_SIGN_IN_SECONDS,
      );
      const user = link && (await lockUser(trx, link.user_id));
      if (!link || user?.state !== 'active' || user.platform_role !== 'admin')
        throw new Problem('LINK_INVALID');
      const signed = await completeSignIn(ctx, trx, { user_id: user.id, method: 'break_glass' });
      await audit({
        action: signed.status === 'signed_in' ? 'session.create' : 'session.second_factor_asked',
        target_kind: 'user',
        target_id: user.public_id,
        actor_kind: 'user',
        actor_user_id: user.id,
        team_id: null,
        after: { method: 'break_glass', reason: link.reason },
      });
      for (const { id, email } of await administratorsToNotify(trx))
        await ctx.mail.enqueue(trx, {
          to: email,
          template: 'break_glass_used',
          data: {
            ...originOf(ctx),
            username: user.username,
            reason: link.reason,
            ends_at: link.session_ends_at,
          },
          user_id: id,
        });
      return { signed, user };
    });
    const headers = { 'Set-Cookie': signed.cookies };
    if (signed.status === 'second_factor') return { status: 202, body: signed.pending, headers };
    return { status: 201, body: await sessionView(ctx, user, { session: signed.session }), headers };
  },
);
