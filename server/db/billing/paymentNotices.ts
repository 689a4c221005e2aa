import type { MoneyNotice } from '../../domain/billing/paymentNotice';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf } from '../notifications/notifications';

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
