import { findNotificationSettings, saveNotificationSettings } from '../../db/notificationSettings';
import { isTimeZone } from '../../domain/notifyQuiet';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { invalid } from '../workspaces/names';
import { settingsView } from './settings';

export const updateNotificationSettings: Handler<'updateNotificationSettings'> = async ({ body, ctx }) => {
  const { time_zone, quiet_hours } = body;
  if (time_zone != null && !isTimeZone(time_zone))
    throw invalid('time_zone', 'There is no such time zone. Write it as Europe/Berlin.');
  if (quiet_hours && quiet_hours.from === quiet_hours.to)
    throw invalid('quiet_hours', 'They end when they begin: choose another end, or none.');
  const me = personOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const before = await findNotificationSettings(trx, me.id);
    const values = {
      time_zone: time_zone === undefined ? (before?.time_zone ?? null) : time_zone,
      quiet_from: quiet_hours === undefined ? (before?.quiet_from ?? null) : (quiet_hours?.from ?? null),
      quiet_to: quiet_hours === undefined ? (before?.quiet_to ?? null) : (quiet_hours?.to ?? null),
    };
    await saveNotificationSettings(trx, me.id, values);
    await audit({
      action: 'user.notifications',
      target_kind: 'user',
      target_id: me.public_id,
      team_id: null,
      after: values,
    });
    return { status: 200, body: await settingsView(ctx, trx) } as const;
  });
};
