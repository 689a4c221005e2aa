import type { CostGroup, UsageGroup } from '../../../../generated/api/types.gen';
import { ownValue } from '../../../lib/ownValue';
import { aiPath, appCvmPath, appPath, ordersPath } from '../../../lib/paths';
import { invoiceBasisTexts } from '../../../lib/billing/basisTexts';
import type { CostGrouping } from '../periods';
import { costGroupTexts } from '../texts';

type Group = Pick<CostGroup | UsageGroup, 'kind' | 'key' | 'name' | 'app_id' | 'deleted' | 'count'>;

const DAY_MS = 86_400_000;

/**
 * Returns a group's name, or how many others it stands for. Orders with the same name also show the end of their
 * ID.
 */
export function groupName(group: Group, among: readonly Group[] = []): string {
  const { kind, key, name, deleted, count } = group;
  if (key === null) return `Other (${count} more)`;
  if (kind === 'basis') return ownValue(invoiceBasisTexts, key) ?? key;
  if (kind === 'instance_type') return key === 'custom' ? 'Custom size' : key;
  if (kind === 'ai_model') return `${key} (AI)`;
  if (kind === 'order') {
    const isShared = among.some((one) => one.kind === kind && one.name === name && one.key !== key);
    return `${name ?? key} (order${isShared ? ` …${key.slice(-4)}` : ''})`;
  }
  return deleted ? `${name ?? key} (deleted)` : (name ?? key);
}

/** Whether AI models or orders are listed alongside apps or CVMs. */
export const hasOthers = (groups: readonly Pick<Group, 'kind'>[]): boolean =>
  groups.some(({ kind }) => kind === 'ai_model' || kind === 'order');

const NOUNS = {
  app: ['app', 'apps'],
  cvm: ['CVM', 'CVMs'],
  instance_type: ['instance type', 'instance types'],
  basis: ['service', 'services'],
} as const satisfies Record<CostGrouping, readonly [string, string]>;

/** Returns the noun for counting groups: not "apps" if they include models or orders. */
export const groupsNoun = (by: CostGrouping, groups: readonly Pick<Group, 'kind'>[]) =>
  hasOthers(groups) ? (['item', 'items'] as const) : NOUNS[by];

/** Returns the heading of the name column. */
export const groupsHeader = (by: CostGrouping, groups: readonly Pick<Group, 'kind'>[]): string =>
  hasOthers(groups) ? `${costGroupTexts[by]}, model or order` : costGroupTexts[by];

/** Returns the group's own page; deleted CVMs have none. */
export function groupHref(teamSlug: string, { kind, key, app_id, deleted }: Group): string | undefined {
  if (kind === 'ai_model') return aiPath(teamSlug);
  if (kind === 'order') return ordersPath(teamSlug);
  if (key === null || app_id === null || deleted) return undefined;
  return kind === 'app' ? appPath(teamSlug, app_id, 'usage') : appCvmPath(teamSlug, app_id, key, 'usage');
}

/** Distinguishes groups of different kinds with the same key. */
export const groupId = ({ kind, key }: Pick<Group, 'kind' | 'key'>): string => `${kind ?? ''} ${key ?? ''}`;

/** The time axis of a chart by UTC day. */
export const dailyFrame = ({ from, days }: { from: string; days: readonly unknown[] }) => ({
  from: Date.parse(from),
  step_ms: DAY_MS,
  count: days.length,
});
