import { savePreferences } from '../../db/notifications/notificationSettings';
import { usualPreference } from '../../domain/notifications/notify';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { settingsView, teamsToEnter } from './settings';

export const updateNotificationPreferences: Handler<'updateNotificationPreferences'> = ({
  path,
  body,
  ctx,
}) =>
  ctx.write(async ({ trx, audit }) => {
    const team = (await teamsToEnter(ctx, trx)).find(({ slug }) => slug === path.slug);
    if (!team) throw new Problem('NOT_FOUND', { message: `You don't belong to a team “${path.slug}”.` });
    const me = userOf(ctx);
    const preferences = [...new Map(body.preferences.map((one) => [one.kind, one])).values()].filter(
      // Kinds irrelevant to the role aren't stored: they would surprise the user after a role change.
      ({ kind }) => usualPreference(kind, team.role, me.platform_role) !== null,
    );
    await savePreferences(
      trx,
      me.id,
      preferences.map((one) => ({ team_id: team.id, ...one })),
    );
    await audit({
      action: 'user.notifications',
      target_kind: 'user',
      target_id: me.public_id,
      team_id: null,
      after: { team: team.slug, preferences: preferences.map((one) => ({ ...one })) },
    });
    return { status: 200, body: await settingsView(ctx, trx) } as const;
  });
