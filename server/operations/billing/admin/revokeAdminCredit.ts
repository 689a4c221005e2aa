import { formatMicros } from '../../../../console/lib/billing/money';
import { adminCredits } from '../../../db/billing/adminBilling';
import { takeBack } from '../../../db/billing/grants';
import { lockLedger } from '../../../db/billing/ledger';
import { notifyPayers } from '../../../db/billing/paymentNotices';
import { adminOne } from '../../../db/core/adminList';
import { adminCreditOut } from '../../../domain/billing/billingResponse';
import { revokedNotice } from '../../../domain/billing/paymentNotice';
import { Problem } from '../../../domain/core/problem';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { credits } from '../../core/admin/resourcesBilling';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { approvalFor } from '../approvals/approval';

export const revokeAdminCredit: Handler<'revokeAdminCredit'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    checkText(body.reason, 'reason');
    const found = await trx
      .selectFrom('credit_grants')
      .select('team_id')
      .where('id', '=', path.id)
      .executeTakeFirst();
    if (!found) throw missing(credits, path.id);
    // The remainder decides whether an approval is needed, so it must not change from here on.
    await lockLedger(trx, found.team_id);
    const grant = await adminOne(trx, adminCredits, path.id);
    if (!grant) throw missing(credits, path.id);
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'revoke_credit',
        path,
        body,
        team_id: grant.team_id,
        target: grant.public_id,
        amount_micros: grant.remaining_micros,
        reason: body.reason,
      },
    );
    if (waits) return waits;
    const amount = await takeBack(trx, grant, 'credit_revocation', `Credit revoked: ${body.reason}`);
    if (amount === 0) throw new Problem('CONFLICT', { message: 'This credit has no amount left to revoke.' });
    await notifyPayers(trx, grant.team_id, `revoked:${grant.public_id}`, revokedNotice(amount, body.reason));
    await audit({
      action: 'credit.revoke',
      target_kind: 'credit',
      target_id: grant.public_id,
      team_id: grant.team_id,
      before: { remaining: formatMicros(amount) },
      after: { remaining: formatMicros(0), reason: body.reason },
    });
    const row = await adminOne(trx, adminCredits, path.id);
    if (!row) throw missing(credits, path.id);
    return {
      status: 200,
      headers: { ETag: etagOf(credits.name, row.id, row.created_at) },
      body: adminCreditOut(row),
    } as const;
  });
