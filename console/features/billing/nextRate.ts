import type { Billing } from '../../../generated/api/types.gen';
import { formatHourly, lastsText, parseMicros } from '../../lib/billing/money';
import { minuteTime } from '../../ui/data/time';

/**
 * Returns a team's next hourly rate and when it starts: "$0.058/h from Nov 30, 2026, 09:30". Null if no change is
 * known.
 */
export function nextRate({ hourly_rate, rate_changes }: Pick<Billing, 'hourly_rate' | 'rate_changes'>) {
  const [next] = rate_changes;
  if (!next) return null;
  const [now, more] = [parseMicros(hourly_rate), parseMicros(next.hourly_rate)];
  return now === null || more === null ? null : `${formatHourly(now + more)} from ${minuteTime(next.at)}`;
}

/**
 * Returns how long the balance lasts. If costs end first, it is never used up, even if something costs money now.
 */
export const balanceLasts = ({
  hourly_rate,
  runway_seconds,
}: Pick<Billing, 'hourly_rate' | 'runway_seconds'>): string =>
  runway_seconds === null && (parseMicros(hourly_rate) ?? 0) > 0
    ? 'Covers all current costs'
    : lastsText(runway_seconds);
