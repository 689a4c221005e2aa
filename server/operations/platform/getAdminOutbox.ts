import type { Handler } from '../types';
import { etagOf } from '../core/admin/change';
import { readOutboxMail } from './outboxMail';

/** Mails contain links that anyone could use, so reading one is audited like a change. */
export const getAdminOutbox: Handler<'getAdminOutbox'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { row, mail } = await readOutboxMail(ctx, trx, path.id);
    await audit({
      action: 'outbox.read',
      target_kind: 'mail',
      target_id: String(row.id),
      team_id: null,
      after: { to: row.to, template: row.template, with_text: mail.text !== null },
    });
    return {
      status: 200,
      headers: { ETag: etagOf(`outbox/${row.state}/${row.attempts}`, row.id, row.created_at) },
      body: mail,
    } as const;
  });
