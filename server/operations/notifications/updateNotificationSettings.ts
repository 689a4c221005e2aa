import {
  findNotificationSettings,
  saveNotificationSettings,
} from '../../db/notifications/notificationSettings';
import { isTimeZone } from '../../domain/notifications/notifyQuiet';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { invalidField } from '../core/invalid';
import { settingsView } from './settings';

export const updateNotificationSettings: Handler<'updateNotificationSettings'> = async ({ body, ctx }) => {
  const { time_zone, quiet_hours } = body;
  if (time_zone != null && !isTimeZone(time_zone))
    throw invalidField('time_zone', 'Unknown time zone. Use a name such as Europe/Berlin.');
  if (quiet_hours && quiet_hours.from === quiet_hours.to)
    throw invalidField('quiet_hours', 'Start and end are the same. Choose another end, or none.');
  const me = userOf(ctx);
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
