import { adminMaintenance } from '../../../db/hosts/adminMaintenance';
import { adminOne } from '../../../db/core/adminList';
import { exists } from '../../../db/hosts/adminTeepods';
import type { Handler } from '../../types';
import { etagOf, keysOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { maintenanceWindows } from '../../core/admin/resourcesFleet';
import { checkTexts } from '../../core/text';

const MAX_MS = 30 * 86_400_000;

export const createAdminMaintenanceWindow: Handler<'createAdminMaintenanceWindow'> = async ({
  body,
  ctx,
}) => {
  checkTexts(body, ['reason']);
  if (!(await exists(ctx.db, 'nodes', body.node_id)))
    throw invalid('node_id', `There is no node ${body.node_id}.`);
  const starts_at = new Date(body.starts_at);
  const ends_at = new Date(body.ends_at);
  checkWindow({ starts_at, ends_at });
  return ctx.write(async ({ trx, audit }) => {
    const { id } = await trx
      .insertInto('maintenance_windows')
      .values({
        node_id: body.node_id,
        starts_at,
        ends_at,
        notice_hours: body.notice_hours ?? 24,
        reason: body.reason,
        created_by: ctx.caller.user?.id ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = await adminOne(trx, adminMaintenance, id);
    if (!row) throw new Error('the window that was just made is not there');
    await audit({
      action: 'maintenance_window.create',
      target_kind: 'maintenance_window',
      target_id: String(id),
      after: keysOf(maintenanceWindows.out(row), Object.keys(body)),
    });
    return {
      status: 201,
      headers: { ETag: etagOf(maintenanceWindows.name, id, row.updated_at) },
      body: maintenanceWindows.out(row),
    } as const;
  });
};

export function checkWindow({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }): void {
  if (Number.isNaN(starts_at.getTime())) throw invalid('starts_at', 'Enter a valid time.');
  if (Number.isNaN(ends_at.getTime())) throw invalid('ends_at', 'Enter a valid time.');
  if (ends_at <= starts_at) throw invalid('ends_at', 'The end must be after the start.');
  if (ends_at.getTime() - starts_at.getTime() > MAX_MS)
    throw invalid('ends_at', 'Must be at most 30 days long.');
  if (ends_at <= new Date()) throw invalid('ends_at', 'The end must be in the future.');
}
