import { formatUsd, parseMicros } from './money';

/** What a deletion does to the money of a team, in sentences; nothing where there is none. */
export function deletionEffects({
  balance,
  payments,
  orders,
}: {
  balance: string;
  payments: number;
  orders: number;
}): string[] {
  const left = parseMicros(balance) ?? 0;
  const effects: string[] = [];
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
