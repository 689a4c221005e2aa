import { lockMaintenance } from '../../../db/adminMaintenance';
import { Problem } from '../../../domain/problem';
import { tellWithdrawn } from '../../../jobs/maintenance';
import type { Handler } from '../../types';
import { removeRow } from '../resource';
import { maintenanceWindows } from '../resourcesFleet';

export const deleteAdminMaintenanceWindow: Handler<'deleteAdminMaintenanceWindow'> = ({ path, ctx }) =>
  removeRow(ctx, maintenanceWindows, path.id, {
    kind: 'maintenance_window',
    table: 'maintenance_windows',
    lock: lockMaintenance,
    async check(trx, window) {
      if (window.state === 'active')
        throw new Problem('CONFLICT', {
          message: 'It has begun already.',
          suggestions: ['Let it end earlier by changing its end.'],
        });
      if (window.state !== 'over') await tellWithdrawn(trx, window);
    },
    kept: ['node_id', 'starts_at', 'ends_at', 'reason'],
    shown: maintenanceWindows.out,
  });
