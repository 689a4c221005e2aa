import { lockMaintenance } from '../../../db/hosts/adminMaintenance';
import { Problem } from '../../../domain/core/problem';
import { notifyCanceled } from '../../../jobs/hosts/maintenance';
import type { Handler } from '../../types';
import { removeRow } from '../../core/admin/resource';
import { maintenanceWindows } from '../../core/admin/resourcesFleet';

export const deleteAdminMaintenanceWindow: Handler<'deleteAdminMaintenanceWindow'> = ({ path, ctx }) =>
  removeRow(ctx, maintenanceWindows, path.id, {
    kind: 'maintenance_window',
    table: 'maintenance_windows',
    lock: lockMaintenance,
    async check(trx, window) {
      if (window.state === 'active')
        throw new Problem('CONFLICT', {
          message: 'It has already started.',
          suggestions: ['Change its end time instead.'],
        });
      if (window.state !== 'over') await notifyCanceled(trx, window);
    },
    kept: ['node_id', 'starts_at', 'ends_at', 'reason'],
    shown: maintenanceWindows.out,
  });
