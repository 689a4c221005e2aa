import { endSsoLinks, linksOfUser } from '../../db/teams/ssoLinks';
import { holdAccount, holdTeamOfAccount } from '../../db/teams/ssoMembers';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import { originOf } from '../core/origin';
import type { Handler } from '../types';

/** The membership remains; linking again requires the account's own sign-in. */
export const unlinkSso: Handler<'unlinkSso'> = async ({ path, ctx }) => {
  const me = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    // Same lock order as sign-in, SCIM and member removal: account, then team, then what ends with the link.
    await holdAccount(trx, me.id);
    const find = async () =>
      (await linksOfUser(trx, me.id)).find(({ public_id }) => public_id === path.connection_id);
    const seen = await find();
    if (seen) await holdTeamOfAccount(trx, seen.team_id);
    // The team may have removed the member while this waited for the lock.
    const link = seen && (await find());
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
