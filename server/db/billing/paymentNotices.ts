import type { MoneyNotice } from '../../domain/billing/paymentNotice';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf, resolveNotices } from '../notifications/notifications';

/** Notifies those who pay. @param subject what it is about; each is news of its own */
export async function tellPayers(
  trx: Tx,
  team_id: number,
  subject: string,
  notice: MoneyNotice,
): Promise<void> {
  await openNotices(
    trx,
    { state: 'open', kind: 'payment', subject, ...notice },
    { team_id, cvm_id: null, at: new Date() },
    await recipientsOf(trx, team_id, 'payment'),
  );
}

/** What notices of automatic payments are about: a newer one replaces an older one. */
export const AUTO_TOP_UP = 'auto_top_up';

/** Ends the notice of an automatic payment: it was made, or nobody waits for it anymore. */
export const resolveAutoTopUp = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolveNotices(
    trx,
    { state: 'over', kind: 'payment', subject: AUTO_TOP_UP, message: null },
    { team_id, at },
  );
