import { listGrants } from '../../db/billing/grants';
import { creditOut } from '../../domain/billing/billingResponse';
import { inBurnOrder } from '../../domain/billing/ledger';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

const MAX_GRANTS = 200;

export const listCredits: Handler<'listCredits'> = async ({ ctx }) => {
  const rows = await listGrants(ctx.db, teamOf(ctx).id, MAX_GRANTS);
  const open = inBurnOrder(
    rows
      .filter(({ remaining_micros }) => remaining_micros > 0)
      .map((row) => ({ ...row, remaining: row.remaining_micros })),
  );
  const rest = rows.filter(({ remaining_micros }) => remaining_micros === 0);
  const now = new Date();
  return { status: 200, body: { items: [...open, ...rest].map((row) => creditOut(row, now)) } };
};
