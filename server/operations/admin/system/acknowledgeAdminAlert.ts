import { acknowledge, bringUpToDate } from '../../../db/alerts';
import { Problem } from '../../../domain/problem';
import { adminAlertOut } from '../../../domain/wire/adminSystem';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { missing } from '../resource';
import { alerts } from '../resourcesSystem';

export const acknowledgeAdminAlert: Handler<'acknowledgeAdminAlert'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const found = await trx.selectFrom('alerts').selectAll().where('id', '=', path.id).executeTakeFirst();
    if (!found) throw missing(alerts, path.id);
    const row = await acknowledge(trx, path.id, personOf(ctx).username);
    if (!row)
      throw new Problem('CONFLICT', {
        message: found.resolved_at
          ? 'It is over.'
          : `${found.acknowledged_by ?? 'Somebody'} has acknowledged it.`,
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
