import { AUTO_TOP_UP, CARD_EXPIRY, LOW_BALANCE, type MoneyNotice } from '../../domain/billing/paymentNotice';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf, resolveNotices } from '../notifications/notifications';

/** Notifies those who pay. @param subject what it is about; each is news of its own */
export async function tellPayers(
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

/** Ends the notice of an automatic payment: it was made, or nobody waits for it anymore. */
export const resolveAutoTopUp = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolve(trx, AUTO_TOP_UP, { team_id, at });

/** Ends the warning of a low balance: it lasts longer again, or no longer has to. */
export const resolveLowBalance = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolve(trx, LOW_BALANCE, { team_id, at });

/** Ends the warning of a card that expires: it was renewed, replaced or removed. */
export const resolveCardExpiry = (trx: Tx, team_id: number, at: Date): Promise<void> =>
  resolve(trx, CARD_EXPIRY, { team_id, at });

const resolve = (trx: Tx, subject: string, at: { team_id: number; at: Date }): Promise<void> =>
  resolveNotices(trx, { state: 'over', kind: 'payment', subject, message: null }, at);
