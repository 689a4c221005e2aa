import { useQuery } from '@tanstack/react-query';
import { getBillingOptions } from '../../generated/api/@tanstack/react-query.gen';
import { isStaffAddress } from '../lib/paths';
import { lastsText, parseMicros, rateSteps, runway } from '../lib/billing/money';
import { inTeam } from './client';
import { findTeam, useSession } from './session';

/** The balance falls every second, and an administrator can confirm a payment at any time. */
const WATCH_MS = 15_000;

export const balanceOptions = (slug: string) => ({
  ...getBillingOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
});

/**
 * Returns how long the team's balance lasts at its current rate plus `more` micro-dollars per hour. Undefined until
 * known, for roles that can't read billing, and without a balance: if one is required, the debt banner covers that.
 * @param shown running costs shown on the page, in micro-dollars per hour: a balance read before a CVM started has
 * none
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
  // "No running costs" would also be wrong if costs end before the balance is used up.
  return seconds === null && (shown > 0 || hourly + more > 0) ? undefined : lastsText(seconds);
}
