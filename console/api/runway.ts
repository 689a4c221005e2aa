import { useQuery } from '@tanstack/react-query';
import { getBillingOptions } from '../../generated/api/@tanstack/react-query.gen';
import { isStaffAddress } from '../lib/paths';
import { lastsText, parseMicros, rateSteps, runway } from '../lib/billing/money';
import { inTeam } from './client';
import { findTeam, useSession } from './session';

/** The balance falls by the second; an administrator may confirm a payment at any time. */
const WATCH_MS = 15_000;

export const balanceOptions = (slug: string) => ({
  ...getBillingOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
});

/**
 * Returns how long the team's balance lasts at what it pays now and `more` micro-dollars per hour. Undefined until that is
 * known, for roles that don't read money, and without a balance, which the debt's banner speaks of where one is needed.
 * @param shown running costs that the page shows, in micro-dollars per hour: a balance read before a CVM started has none
 */
export function useRunway(teamSlug: string, { more = 0, shown = 0 } = {}): string | undefined {
  const team = findTeam(useSession(), teamSlug);
  const enabled =
    team !== undefined && team.permissions.includes('billing.read') && !isStaffAddress(location.pathname);
  const { data } = useQuery({ ...balanceOptions(teamSlug), enabled });
  if (!enabled || !data) return undefined;
  const [balance, hourly] = [parseMicros(data.balance), parseMicros(data.hourly_rate)];
  if (balance === null || hourly === null || balance <= 0) return undefined;
  const changes = data.rate_changes.map(({ at, hourly_rate }) => ({
    at: new Date(at),
    more: parseMicros(hourly_rate) ?? 0,
  }));
  const steps = rateSteps(changes, new Date(data.as_of));
  const seconds = runway(balance, Math.max(0, hourly + more), steps);
  // Also of costs that end before the balance is used up, "no running costs" would be wrong.
  return seconds === null && (shown > 0 || hourly + more > 0) ? undefined : lastsText(seconds);
}
