import { grantCredit } from '../../../db/billing/grants';
import { notifyPayers } from '../../../db/billing/paymentNotices';
import { adminCreditOut } from '../../../domain/billing/billingResponse';
import { grantedNotice } from '../../../domain/billing/paymentNotice';
import { etagOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { credits } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { amountOf } from '../amount';
import { approvalFor } from '../approvals/approval';

export const createAdminCredit: Handler<'createAdminCredit'> = async ({ body, ctx }) => {
  checkText(body.reason, 'reason');
  const amount_micros = amountOf(body.amount, 'amount');
  const expires_at = body.expires_at ? new Date(body.expires_at) : null;
  if (expires_at && expires_at <= new Date())
    throw invalid('expires_at', 'The expiry must be in the future.');
  return ctx.write(async ({ trx, audit }) => {
    const team = await trx
      .selectFrom('teams')
      .select(['id', 'slug'])
      .where('id', '=', body.team_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!team) throw invalid('team_id', `There is no team ${body.team_id}.`);
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'grant_credit',
        path: {},
        body: { ...body },
        team_id: team.id,
        target: team.slug,
        amount_micros,
        reason: body.reason,
      },
    );
    if (waits) return waits;
    const row = await grantCredit(trx, {
      team_id: team.id,
      source: 'support',
      reason: body.reason,
      amount_micros,
      expires_at,
      created_by: userOf(ctx).id,
    });
    await notifyPayers(
      trx,
      team.id,
      `granted:${row.public_id}`,
      grantedNotice(amount_micros, body.reason, expires_at),
    );
    const credit = adminCreditOut({ ...row, state: 'active' });
    await audit({
      action: 'credit.grant',
      target_kind: 'credit',
      target_id: row.public_id,
      team_id: team.id,
      after: { amount: credit.amount, reason: credit.reason, expires_at: credit.expires_at },
    });
    return {
      status: 201,
      headers: { ETag: etagOf(credits.name, row.id, row.created_at) },
      body: credit,
    } as const;
  });
};
