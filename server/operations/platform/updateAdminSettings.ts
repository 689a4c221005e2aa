import { platformSettings } from '../../db/platform/platformSettings';
import { changesOf, checkIfMatch, keysOf, nextVersion } from '../core/admin/change';
import type { Handler } from '../types';
import { settingsOut, settingsTag } from './getAdminSettings';

export const updateAdminSettings: Handler<'updateAdminSettings'> = async ({ body, ctx }) => {
  const found = await platformSettings(ctx.db);
  checkIfMatch(ctx, settingsTag(found));
  if (Object.keys(changesOf(found, body)).length === 0)
    return { status: 200, headers: { ETag: settingsTag(found) }, body: settingsOut(found) };
  return ctx.write(async ({ trx, audit }) => {
    const before = await trx
      .selectFrom('platform_settings')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow();
    checkIfMatch(ctx, settingsTag(before));
    const changes = changesOf(before, body);
    const row = await trx
      .updateTable('platform_settings')
      .set({ ...changes, updated_at: nextVersion(before) })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit({
      action: 'platform_settings.update',
      target_kind: 'platform_settings',
      target_id: 'all',
      before: keysOf(before, Object.keys(changes)),
      after: changes,
    });
    return { status: 200, headers: { ETag: settingsTag(row) }, body: settingsOut(row) } as const;
  });
};
