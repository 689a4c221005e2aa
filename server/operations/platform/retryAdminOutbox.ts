import { requeueMail } from '../../db/notifications/outbox';
import { Problem } from '../../domain/core/problem';
import type { AdminOutboxRow } from '../../db/notifications/adminOutbox';
import type { Handler } from '../types';
import { readOutboxMail } from './outboxMail';

export const retryAdminOutbox: Handler<'retryAdminOutbox'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { row } = await readOutboxMail(ctx, trx, path.id);
    if (ctx.config.smtpUrl === undefined)
      throw new Problem('CONFLICT', {
        message: 'No mail server is configured.',
        suggestions: ['Set SMTP_URL and restart the server, or share the link yourself.'],
      });
    if (!(await requeueMail(trx, row.id)))
      throw new Problem('CONFLICT', { message: reasonAgainst(row), suggestions: ['Request a new link.'] });
    await ctx.jobs.enqueueMail(trx, row.id);
    await audit({
      action: 'outbox.retry',
      target_kind: 'mail',
      target_id: String(row.id),
      team_id: null,
      before: { state: row.state, attempts: row.attempts },
    });
    const { mail } = await readOutboxMail(ctx, trx, row.id);
    return { status: 200, body: mail } as const;
  });

function reasonAgainst({ state }: AdminOutboxRow): string {
  if (state === 'sent') return 'It has been sent, and its text is no longer stored.';
  return state === 'sending' ? 'It is being sent.' : 'Its text is no longer stored.';
}
