import { deleteWebhook as deleteRow } from '../../db/webhooks/webhooks';
import type { Handler } from '../types';
import { auditOf, auditView, endFailureNotice, holdWebhook } from './webhook';

export const deleteWebhook: Handler<'deleteWebhook'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await holdWebhook(trx, ctx, path.webhook_id);
    await deleteRow(trx, row.id);
    await endFailureNotice(trx, row);
    await audit({ ...auditOf(row, 'delete'), before: auditView(row) });
    return { status: 204 } as const;
  });
