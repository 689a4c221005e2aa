import { requeueMail } from '../../db/outbox';
import { Problem } from '../../domain/problem';
import type { AdminOutboxRow } from '../../db/adminOutbox';
import type { Handler } from '../types';
import { readOutboxMail } from './outboxMail';

export const retryAdminOutbox: Handler<'retryAdminOutbox'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { row } = await readOutboxMail(ctx, trx, path.id);
    if (ctx.config.smtpUrl === undefined)
      throw new Problem('CONFLICT', {
        message: 'No mail server is configured, so nothing can be sent.',
        suggestions: ['Set SMTP_URL and start the server again, or hand the link over yourself.'],
      });
    if (!(await requeueMail(trx, row.id)))
      throw new Problem('CONFLICT', { message: reasonAgainst(row), suggestions: ['Ask for a new link.'] });
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
  if (state === 'sent') return 'It was sent, and what it said is no longer kept.';
  return state === 'sending' ? 'It is being sent right now.' : 'What it said is no longer kept.';
}
