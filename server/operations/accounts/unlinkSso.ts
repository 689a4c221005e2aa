import { endSsoLinks, linksOfUser } from '../../db/teams/ssoLinks';
import { lockUser } from '../../db/accounts/accounts';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import { originOf } from '../core/origin';
import type { Handler } from '../types';

/** The membership remains; linking again requires the account's own sign-in. */
export const unlinkSso: Handler<'unlinkSso'> = async ({ path, ctx }) => {
  const me = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    await lockUser(trx, me.id);
    const link = (await linksOfUser(trx, me.id)).find(({ public_id }) => public_id === path.connection_id);
    if (!link)
      throw new Problem('NOT_FOUND', { message: "This identity provider isn't linked to your account." });
    const { sessions, tokens } = await endSsoLinks(trx, me.id, { team_id: link.team_id });
    await ctx.mail.enqueue(trx, {
      to: me.email,
      template: 'sso_unlinked',
      data: { ...originOf(ctx), team_name: link.team_name, domain: link.domain },
      user_id: me.id,
      team_id: link.team_id,
    });
    await audit({
      action: 'sso.unlink',
      target_kind: 'user',
      target_id: me.public_id,
      team_id: link.team_id,
      before: { connection: link.public_id, sessions, tokens },
    });
    return { status: 204 } as const;
  });
};
