import {
  findUserByPublicId,
  savePreferences,
  storedPreferences,
} from '../../db/notifications/notificationSettings';
import { listTeams } from '../../db/teams/teams';
import { usualPreference } from '../../domain/notifications/notify';
import { readUnsubscribeToken } from '../../domain/notifications/notifyUnsubscribe';
import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';

/** Unsubscribes from mail of one kind in all the user's teams. The console still shows it. */
export const unsubscribe: Handler<'unsubscribe'> = async ({ query, ctx }) => {
  const read = readUnsubscribeToken(ctx.seal, query.token);
  if (!read) throw new Problem('LINK_INVALID');
  const { kind, user_public_id } = read;
  await ctx.write(async ({ trx, audit }) => {
    const user = await findUserByPublicId(trx, user_public_id);
    if (!user) throw new Problem('LINK_INVALID');
    const stored = new Map(
      (await storedPreferences(trx, user.id)).flatMap((one) =>
        one.kind === kind ? [[one.team_id, one] as const] : [],
      ),
    );
    const teams = await listTeams(trx, { user_id: user.id, limit: 1000 });
    await savePreferences(
      trx,
      user.id,
      teams.flatMap(({ id: team_id, role }) => {
        const usual = usualPreference(kind, role, user.platform_role);
        return usual
          ? [{ team_id, kind, console: stored.get(team_id)?.console ?? usual.console, mail: false }]
          : [];
      }),
    );
    await audit({
      action: 'user.unsubscribe',
      target_kind: 'user',
      target_id: user.public_id,
      actor_user_id: user.id,
      team_id: null,
      after: { kind },
    });
  });
  return { status: 204 };
};
