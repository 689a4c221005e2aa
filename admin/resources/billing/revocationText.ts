import { exactUsd, parseMicros } from '../../../console/lib/billing/money';

/** "Acme loses the remaining $12.00 of the $25.00 it was granted." @param team the team's name */
export function revocationText(
  { amount, remaining }: { amount: string; remaining: string },
  team: string,
): string {
  const granted = exactUsd(amount);
  if ((parseMicros(remaining) ?? 0) === 0) return `${team} has used all of the ${granted} it was granted.`;
  return parseMicros(remaining) === parseMicros(amount)
    ? `${team} loses all of the ${granted} it was granted.`
    : `${team} loses the remaining ${exactUsd(remaining)} of the ${granted} it was granted.`;
}
