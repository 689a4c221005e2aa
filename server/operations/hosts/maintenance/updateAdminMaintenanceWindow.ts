import { lockMaintenance } from '../../../db/hosts/adminMaintenance';
import { Problem } from '../../../domain/core/problem';
import { notifyRescheduled } from '../../../jobs/hosts/maintenance';
import type { Handler } from '../../types';
import { invalid } from '../../core/invalid';
import { changeRow } from '../../core/admin/resource';
import { maintenanceWindows } from '../../core/admin/resourcesFleet';
import { checkWindow } from './createAdminMaintenanceWindow';
import { checkTexts } from '../../core/text';

export const updateAdminMaintenanceWindow: Handler<'updateAdminMaintenanceWindow'> = async ({
  path,
  body,
  ctx,
}) => {
  checkTexts(body, ['reason']);
  const { starts_at, ends_at, ...rest } = body;
  return changeRow(ctx, maintenanceWindows, path.id, {
    kind: 'maintenance_window',
    patch: {
      ...rest,
      ...(starts_at === undefined ? {} : { starts_at: new Date(starts_at) }),
      ...(ends_at === undefined ? {} : { ends_at: new Date(ends_at) }),
    },
    lock: lockMaintenance,
    async check(trx, changes, before) {
      if (before.state === 'over') throw new Problem('CONFLICT', { message: 'It has ended.' });
      if (before.state === 'active' && changes.starts_at)
        throw invalid('starts_at', 'It has already started.');
      const after = { ...before, ...changes };
      checkWindow(after);
      await notifyRescheduled(trx, before, after);
    },
    write: (trx, changes) =>
      trx.updateTable('maintenance_windows').set(changes).where('id', '=', path.id).execute(),
  });
};
