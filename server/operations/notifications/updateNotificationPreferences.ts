import { savePreferences } from '../../db/notificationSettings';
import { usualPreference } from '../../domain/notify';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { settingsView, teamsToEnter } from './settings';

export const updateNotificationPreferences: Handler<'updateNotificationPreferences'> = ({
  path,
  body,
  ctx,
}) =>
  ctx.write(async ({ trx, audit }) => {
    const team = (await teamsToEnter(ctx, trx)).find(({ slug }) => slug === path.slug);
    if (!team)
      throw new Problem('NOT_FOUND', { message: `There is no team “${path.slug}” that you belong to.` });
    const me = personOf(ctx);
    const preferences = [...new Map(body.preferences.map((one) => [one.kind, one])).values()].filter(
      // What the role has nothing to do with is not kept: it would be a surprise with the next role.
      ({ kind }) => usualPreference(kind, team.role) !== null,
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
