import { isTimeZone } from '../../domain/notifications/notifyQuiet';
import type { Handler } from '../types';
import { changesOf, keysOf } from '../core/admin/change';
import { invalid } from '../core/invalid';
import { linkOut, lockChat } from './chat';

export const updateAdminChatLink: Handler<'updateAdminChatLink'> = async ({ path, body, ctx }) => {
  const { quiet_hours, alerts, ...rest } = body;
  if (rest.time_zone && !isTimeZone(rest.time_zone)) throw invalid('time_zone', 'Unknown time zone.');
  const patch = {
    ...rest,
    ...(alerts === undefined ? {} : { alerts: [...new Set(alerts)].sort() }),
    ...(quiet_hours === undefined
      ? {}
      : { quiet_from: quiet_hours?.from ?? null, quiet_to: quiet_hours?.to ?? null }),
  };
  return ctx.write(async ({ trx, audit, unchanged }) => {
    const before = await lockChat(trx, ctx, path.id);
    const changes = changesOf(before, patch);
    const keys = Object.keys(changes);
    if (keys.length === 0) return unchanged({ status: 200, body: await linkOut(trx, ctx, path.id) } as const);
    await trx.updateTable('chats').set(changes).where('id', '=', path.id).execute();
    await audit({
      action: 'chat.update',
      target_kind: 'chat',
      target_id: String(path.id),
      before: keysOf(before, keys),
      after: keysOf({ ...before, ...changes }, keys),
    });
    return { status: 200, body: await linkOut(trx, ctx, path.id) } as const;
  });
};
