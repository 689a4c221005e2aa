import type { AdminFinanceAction } from '../../../../generated/api/types.gen';
import { financeActionTitle, signedAmount } from '../../../../console/lib/billing/financeActions';
import { formatMicros } from '../../../../console/lib/billing/money';
import {
  adminFinanceAction,
  adminFinanceActions,
  type FinanceActionListed,
} from '../../../db/billing/financeActions';
import { adminOne } from '../../../db/core/adminList';
import type { Db, Tx } from '../../../db/core/client';
import { iso } from '../../../domain/core/references';
import { etagOf } from '../../core/admin/change';
import { missing, oneOf, type AdminResource } from '../../core/admin/resource';
import { userOf } from '../../core/caller';
import type { Context } from '../../types';

const financeActionOut = (row: FinanceActionListed): AdminFinanceAction => ({
  id: row.id,
  title: financeActionTitle(row, row.target_name),
  action: row.action,
  team_id: row.team_id,
  target: row.target,
  target_id: row.target_id,
  amount: formatMicros(signedAmount(row)),
  moved_before: row.moved_before_micros === null ? null : formatMicros(row.moved_before_micros),
  reason: row.reason,
  request: JSON.stringify(row.body),
  state: row.state,
  requested_by: row.requested_by,
  is_own: row.is_own,
  expires_at: row.expires_at.toISOString(),
  decided_by: row.decided_by,
  decided_at: iso(row.decided_at),
  decision: row.decision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const financeActions: AdminResource<FinanceActionListed, AdminFinanceAction> = {
  name: 'finance-actions',
  singular: 'finance action',
  source: adminFinanceActions(null),
  sourceFor: (ctx) => adminFinanceActions(userOf(ctx).id),
  oneFor: (ctx) => adminFinanceAction(userOf(ctx).id),
  out: financeActionOut,
  version: (row) => row.updated_at,
};

/** The response of a change to an action. */
export async function financeActionReply(ctx: Context, trx: Db | Tx, id: number) {
  const row = await adminOne(trx, oneOf(financeActions, ctx), id);
  if (!row) throw missing(financeActions, id);
  return {
    status: 200,
    headers: { ETag: etagOf(financeActions.name, row.id, row.updated_at) },
    body: financeActionOut(row),
  } as const;
}
