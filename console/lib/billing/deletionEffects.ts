import { counted } from '../texts/count';
import { formatUsd, parseMicros } from './money';

/**
 * Describes, in sentences, how a deletion affects a team's recycle bin and money; omits what the team doesn't have.
 */
export function deletionEffects({
  recycled_cvms: recycled,
  balance,
  payments,
  orders,
}: {
  recycled_cvms: number;
  balance: string;
  payments: number;
  orders: number;
}): string[] {
  const left = parseMicros(balance) ?? 0;
  const effects: string[] = [];
  if (recycled > 0)
    effects.push(
      `${counted(recycled, ['CVM', 'CVMs'])} in the recycle bin can’t be restored anymore; ${recycled === 1 ? 'its disk and secrets are' : 'their disks and secrets are'} destroyed.`,
    );
  if (left > 0)
    effects.push(
      `The balance of ${formatUsd(left)} can no longer be used. Contact support first if it should be refunded.`,
    );
  if (payments > 0)
    effects.push(
      payments === 1 ? 'An unpaid payment is canceled.' : `${payments} unpaid payments are canceled.`,
    );
  if (orders > 0)
    effects.push(
      orders === 1 ? 'A reservation ends without a refund.' : `${orders} reservations end without a refund.`,
    );
  return effects;
}
