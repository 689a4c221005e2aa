import type { TeamCost } from '../../../../generated/api/types.gen';
import { csvLine } from '../../../lib/texts/csv';
import { groupName, groupsHeader } from '../groups/groups';

const DAY_MS = 86_400_000;

/** Returns the cost page's data as a file: a line per UTC day and group with a cost, in order of days. */
export function costFile(
  teamSlug: string,
  { from, group_by, days, groups }: Pick<TeamCost, 'from' | 'group_by' | 'days' | 'groups'>,
): { name: string; content: string } {
  const start = Date.parse(from);
  const header = groupsHeader(group_by, groups).toLowerCase();
  const lines = days.flatMap((_, i) => {
    const day = new Date(start + i * DAY_MS).toISOString().slice(0, 10);
    return groups.flatMap((group) => {
      const amount = group.days[i] ?? '0';
      return Number(amount) === 0 ? [] : [csvLine([day, groupName(group, groups), group.key, amount])];
    });
  });
  return {
    name: `${teamSlug}-cost-by-${group_by.replaceAll('_', '-')}-${from.slice(0, 10)}.csv`,
    content: [csvLine(['day', header, 'id', 'usd']), ...lines].join(''),
  };
}
