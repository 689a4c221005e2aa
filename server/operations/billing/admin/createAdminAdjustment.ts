import { formatMicros, parseMicros } from '../../../../console/lib/billing/money';
import { adminTransactions } from '../../../db/billing/adminBilling';
import { lockFunds } from '../../../db/billing/holds';
import { lockLedger, post, postedBalance } from '../../../db/billing/ledger';
import { notifyPayers } from '../../../db/billing/paymentNotices';
import { adminOne } from '../../../db/core/adminList';
import { adminTransactionOut } from '../../../domain/billing/billingResponse';
import { transfer } from '../../../domain/billing/ledger';
import { adjustedNotice } from '../../../domain/billing/paymentNotice';
import { publicId } from '../../../domain/core/publicId';
import { etagOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { transactions } from '../../core/admin/resourcesBilling';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { amountOf } from '../amount';
import { approvalFor } from '../approvals/approval';

/** Corrects a team's prepaid balance by hand. A negative amount may leave a debt. */
export const createAdminAdjustment: Handler<'createAdminAdjustment'> = async ({ body, ctx }) => {
  const { reason } = body;
  checkText(reason, 'reason');
  const digits = body.amount.replace(/^-/, '');
  if (parseMicros(digits) === 0) throw invalid('amount', 'Enter an amount other than 0.');
  const size = amountOf(digits, 'amount');
  const amount = body.amount.startsWith('-') ? -size : size;
  return ctx.write(async ({ trx, audit }) => {
    const found = await trx
      .selectFrom('teams')
      .select(['id', 'slug'])
      .where('id', '=', body.team_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!found) throw invalid('team_id', `There is no team ${body.team_id}.`);
    const team_id = found.id;
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'adjust_balance',
        path: {},
        body: { ...body },
        team_id,
        target: found.slug,
        amount_micros: size,
        reason,
      },
    );
    if (waits) return waits;
    // Blocks deployments, which could otherwise spend the funds being deducted.
    await lockFunds(trx, team_id);
    await lockLedger(trx, team_id);
    const { prepaid } = await postedBalance(trx, team_id);
    const public_id = publicId('adj');
    const posted = await post(trx, {
      team_id,
      kind: 'adjustment',
      source_type: 'adjustment',
      source_id: public_id,
      description: `Adjustment: ${reason}`,
      effective_at: new Date(),
      entries: transfer('adjustment', 'prepaid', amount),
    });
    const row = posted && (await adminOne(trx, adminTransactions, posted.id));
    if (!row) throw missing(transactions, posted?.id ?? 0);
    await notifyPayers(trx, team_id, `adjusted:${public_id}`, adjustedNotice(amount, reason));
    await audit({
      action: 'balance.adjust',
      target_kind: 'transaction',
      target_id: row.public_id,
      team_id,
      before: { prepaid: formatMicros(prepaid) },
      after: { prepaid: formatMicros(prepaid + amount), amount: formatMicros(amount), reason },
    });
    return {
      status: 201,
      headers: { ETag: etagOf(transactions.name, row.id, row.booked_at) },
      body: adminTransactionOut(row),
    } as const;
  });
};
