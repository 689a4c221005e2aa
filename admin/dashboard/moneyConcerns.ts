import type { AdminWorkspace } from '../../generated/api/types.gen';
import { minuteTime } from '../../console/ui/data/time';
import { counted } from '../../console/lib/texts/count';
import { adminHref } from '../paths';
import type { Concern } from './attention';

export const IN_DEBT = { in_debt: true };
/** Filters for payments that only finance can process. */
export const WAITING_TRANSFERS = { driver: ['manual'], state: ['pending'] };

/** Announced bank transfers, which only finance can confirm. @param pending number of them */
export function concernsOfTransfers(pending: number): Concern[] {
  if (pending === 0) return [];
  return [
    {
      key: 'transfers',
      tone: 'attention',
      title: `${counted(pending, ['bank transfer is', 'bank transfers are'])} waiting to be confirmed`,
      detail: 'Confirm each once it is on the bank statement, or reject it.',
      href: adminHref.list('payments', WAITING_TRANSFERS),
      since: null,
    },
  ];
}

type Debtor = Pick<AdminWorkspace, 'id' | 'name' | 'stops_at'>;

/**
 * Teams in debt, and the next one whose CVMs stop.
 * @param debtors some of them
 * @param total number of them
 * @param now ms
 */
export function concernsOfDebts(debtors: readonly Debtor[], total: number, now = Date.now()): Concern[] {
  const [first] = debtors;
  if (total === 0 || first === undefined) return [];
  const stopOf = ({ stops_at }: Debtor) => (stops_at === null ? Infinity : Date.parse(stops_at));
  const next = debtors
    .filter((team) => team.stops_at !== null && stopOf(team) > now)
    .sort((a, b) => stopOf(a) - stopOf(b))[0];
  const date = next === undefined ? '' : minuteTime(stopOf(next));
  const alone = total === 1;
  return [
    {
      key: 'debts',
      tone: 'attention',
      title: alone ? `${first.name} is in debt` : `${counted(total, ['team is', 'teams are'])} in debt`,
      detail:
        next === undefined
          ? `${alone ? 'Its' : 'Their'} grace period is over.`
          : alone
            ? `Its CVMs stop on ${date} unless it pays.`
            : `Next: ${next.name}’s CVMs stop on ${date} unless it pays.`,
      href: alone ? adminHref.show('workspaces', first.id) : adminHref.list('workspaces', IN_DEBT),
      since: null,
    },
  ];
}
