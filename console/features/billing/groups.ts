import type { CostGroup, UsageGroup } from '../../../generated/api/types.gen';
import { ownValue } from '../../lib/ownValue';
import { appCvmPath, appPath } from '../../lib/paths';
import { counted } from '../../lib/texts/count';
import type { CostGrouping } from './periods';
import { basisTexts } from './texts';

type Group = Pick<CostGroup | UsageGroup, 'key' | 'name' | 'app_id' | 'deleted' | 'count'>;

const DAY_MS = 86_400_000;

const NOUNS: Readonly<Record<CostGrouping, [string, string]>> = {
  app: ['app', 'apps'],
  cvm: ['CVM', 'CVMs'],
  instance_type: ['instance type', 'instance types'],
  basis: ['item', 'items'],
};

/** What a group is called: its name, or how many others it stands for. */
export function groupName({ key, name, deleted, count }: Group, by: CostGrouping): string {
  if (key === null) return `Other (${counted(count, NOUNS[by])})`;
  if (by === 'basis') return ownValue(basisTexts, key) ?? key;
  if (by === 'instance_type') return key === 'custom' ? 'Custom size' : key;
  return deleted ? `${name ?? key} (deleted)` : (name ?? key);
}

/** Returns the group's own usage page; deleted CVMs have none. */
export function groupHref(
  teamSlug: string,
  { key, app_id, deleted }: Group,
  by: CostGrouping,
): string | undefined {
  if (key === null || app_id === null || deleted) return undefined;
  return by === 'app' ? appPath(teamSlug, app_id, 'usage') : appCvmPath(teamSlug, app_id, key, 'usage');
}

/** The time axis of a chart by UTC day. */
export const dailyFrame = ({ from, days }: { from: string; days: readonly unknown[] }) => ({
  from: Date.parse(from),
  step_ms: DAY_MS,
  count: days.length,
});
