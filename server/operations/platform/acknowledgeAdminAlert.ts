import { acknowledge, bringUpToDate } from '../../db/platform/alerts';
import { Problem } from '../../domain/core/problem';
import { adminAlertOut } from '../../domain/platform/adminSystemResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { missing } from '../core/admin/resource';
import { alerts } from '../core/admin/resourcesSystem';

export const acknowledgeAdminAlert: Handler<'acknowledgeAdminAlert'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const found = await trx.selectFrom('alerts').selectAll().where('id', '=', path.id).executeTakeFirst();
    if (!found) throw missing(alerts, path.id);
    const row = await acknowledge(trx, path.id, userOf(ctx).username);
    if (!row)
      throw new Problem('CONFLICT', {
        message: found.resolved_at
          ? 'It has been resolved.'
          : `${found.acknowledged_by ?? 'Another administrator'} has already acknowledged it.`,
      });
    await bringUpToDate(trx, [row]);
    await audit({
      action: 'alert.acknowledge',
      target_kind: 'alert',
      target_id: String(row.id),
      after: { kind: row.kind, subject: row.subject },
    });
    return { status: 200, body: adminAlertOut({ ...row, state: 'acknowledged' }) } as const;
  });
