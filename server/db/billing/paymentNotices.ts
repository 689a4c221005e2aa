import { AUTO_TOP_UP, CARD_EXPIRY, LOW_BALANCE, type MoneyNotice } from '../../domain/billing/paymentNotice';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf, resolveNotices } from '../notifications/notifications';

/** Notifies payers. @param subject each subject is a separate notice */
export async function notifyPayers(
  trx: Tx,
  team_id: number,
  subject: string,
  notice: MoneyNotice,
  at = new Date(),
): Promise<void> {
  await openNotices(
    trx,
    { state: 'open', kind: 'payment', subject, ...notice },
    { team_id, cvm_id: null, at },
    await recipientsOf(trx, team_id, 'payment'),
  );
}

/** Ends the notice of an automatic payment: it was made, or is no longer expected. */
export const resolveAutoTopUp = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolve(trx, AUTO_TOP_UP, team_id, at);

/** Ends the low-balance warning: the balance lasts longer again, or no longer has to. */
export const resolveLowBalance = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolve(trx, LOW_BALANCE, team_id, at);

/** Ends the warning of an expiring card: it was renewed, replaced or removed. */
export const resolveCardExpiry = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolve(trx, CARD_EXPIRY, team_id, at);

const resolve = (trx: Tx, subject: string, team_id: number, at: Date): Promise<void> =>
  resolveNotices(trx, [{ kind: 'payment', subject, message: null, team_id }], at);
