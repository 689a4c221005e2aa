import { lockMaintenance } from '../../../db/adminMaintenance';
import { Problem } from '../../../domain/problem';
import { tellWithdrawn } from '../../../jobs/maintenance';
import type { Handler } from '../../types';
import { keysOf } from '../change';
import { missing } from '../resource';
import { maintenanceWindows } from '../resourcesFleet';

export const deleteAdminMaintenanceWindow: Handler<'deleteAdminMaintenanceWindow'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const window = await lockMaintenance(trx, path.id);
    if (!window) throw missing(maintenanceWindows, path.id);
    if (window.state === 'active')
      throw new Problem('CONFLICT', {
        message: 'It has begun already.',
        suggestions: ['Let it end earlier by changing its end.'],
      });
    if (window.state !== 'over') await tellWithdrawn(trx, window);
    await trx.deleteFrom('maintenance_windows').where('id', '=', window.id).execute();
    await audit({
      action: 'maintenance_window.delete',
      target_kind: 'maintenance_window',
      target_id: String(window.id),
      before: keysOf(maintenanceWindows.out(window), ['node_id', 'starts_at', 'ends_at', 'reason']),
    });
    return { status: 204 } as const;
  });
