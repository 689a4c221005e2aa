import { cloudSpend } from '../../../db/billing/adminSpend';
import type { Db } from '../../../db/core/client';
import { adminSpendOut, type CloudSpend } from '../../../domain/accounts/adminAccountResponse';
import type { Handler } from '../../types';

/**
 * Computing this reads every CVM's usage since its last posted hour, so it runs at most this often for all callers.
 */
const KEPT_MS = 60_000;

interface Kept {
  as_of: Date;
  spend: Promise<CloudSpend>;
}
const kept = new WeakMap<Db, Kept>();

export const getAdminSpend: Handler<'getAdminSpend'> = async ({ ctx }) => {
  const last = kept.get(ctx.db);
  const fresh = last && Date.now() - last.as_of.getTime() < KEPT_MS ? last : ask(ctx.db);
  return { status: 200, body: adminSpendOut(await fresh.spend, fresh.as_of) };
};

function ask(db: Db): Kept {
  const as_of = new Date();
  const [month, day] = ['month', 'day'].map((unit) => {
    const at = new Date(as_of);
    at.setUTCHours(0, 0, 0, 0);
    if (unit === 'month') at.setUTCDate(1);
    return at;
  }) as [Date, Date];
  const next: Kept = { as_of, spend: cloudSpend(db, { month, day, to: as_of }) };
  kept.set(db, next);
  // A failure is returned only to the callers that waited for it.
  next.spend.catch(() => kept.delete(db));
  return next;
}
