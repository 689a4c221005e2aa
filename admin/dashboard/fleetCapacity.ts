import type { AdminTeepod } from '../../generated/api/types.gen';
import { counted } from '../../console/lib/texts/count';
import { adminHref } from '../paths';
import type { Concern } from './attention';

/** Share of used capacity above which a host is nearly full. */
const NEARLY_FULL = 0.9;

export const RESOURCES = [
  { key: 'used_cvms', noun: 'CVM slots' },
  { key: 'used_vcpu', noun: 'vCPUs' },
  { key: 'used_memory_mb', noun: 'memory' },
  { key: 'used_disk_gb', noun: 'disk' },
] as const;

export type ResourceKey = (typeof RESOURCES)[number]['key'];

const LIMITS = {
  used_cvms: 'max_cvms',
  used_vcpu: 'max_vcpu',
  used_memory_mb: 'max_memory_mb',
  used_disk_gb: 'max_disk_gb',
} as const;

export interface Sums {
  used: number;
  max: number;
}

/**
 * Returns a teepod's usage of a resource. A host refuses CVMs beyond its own limit, whatever administrators
 * configure; vCPU and memory can be overcommitted.
 */
export function loadOf(teepod: AdminTeepod, key: ResourceKey): Sums {
  const max = teepod[LIMITS[key]];
  const own = key === 'used_cvms' ? teepod.host_cvms : null;
  return { used: teepod[key], max: own === null || own === 0 ? max : Math.min(max, own) };
}

export const isNearlyFull = ({ used, max }: Sums): boolean => max > 0 && used >= max * NEARLY_FULL;

/** Whether new CVMs can be placed on it now. */
const takesCvms = ({ state, node_state, reachable }: AdminTeepod): boolean =>
  state === 'online' && node_state === 'online' && reachable;

/** Sums used and total capacity of the hosts that accept new CVMs: only their free capacity can be used. */
export function capacityOf(
  teepods: readonly AdminTeepod[],
): { noun: string; key: ResourceKey; sums: Sums }[] {
  const loads = (key: ResourceKey) => teepods.filter(takesCvms).map((teepod) => loadOf(teepod, key));
  return RESOURCES.map(({ key, noun }) => ({
    noun,
    key,
    sums: {
      used: loads(key).reduce((sum, { used }) => sum + used, 0),
      max: loads(key).reduce((sum, { max }) => sum + max, 0),
    },
  }));
}

/** Returns the host with the largest share of used CVM slots, among those that accept new CVMs. */
export function fullestOf(teepods: readonly AdminTeepod[]): AdminTeepod | undefined {
  const share = (teepod: AdminTeepod) => {
    const { used, max } = loadOf(teepod, 'used_cvms');
    return max === 0 ? 0 : used / max;
  };
  return teepods
    .filter((teepod) => takesCvms(teepod) && teepod.used_cvms > 0)
    .sort((a, b) => share(b) - share(a))[0];
}

/** Returns why a host accepts no new CVMs; operator actions take precedence. */
const whyClosed = ({ state, drain_id, node_state, reachable }: AdminTeepod): string => {
  if (state === 'draining') return drain_id === null ? 'drained' : 'draining';
  if (state !== 'online') return state;
  if (node_state !== 'online') return node_state === 'maintenance' ? 'in maintenance' : 'offline';
  return reachable ? 'open' : 'unreachable';
};

/**
 * Returns why no host accepts new CVMs, instead of sums that would all be zero: "rack1-a is draining", "2 hosts are
 * draining and 1 is cordoned". Undefined if a host accepts them, or without hosts.
 */
export function closedText(teepods: readonly AdminTeepod[]): string | undefined {
  const [first] = teepods;
  if (first === undefined || teepods.some(takesCvms)) return undefined;
  if (teepods.length === 1) return `${first.name} is ${whyClosed(first)}`;
  const counts = new Map<string, number>();
  for (const teepod of teepods) {
    const why = whyClosed(teepod);
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, a], [, b]) => b - a);
  if (parts.length === 1) return `all ${counted(teepods.length, ['host is', 'hosts are'])} ${parts[0]?.[0]}`;
  return new Intl.ListFormat('en').format(
    parts.map(([why, n], index) =>
      index === 0
        ? `${counted(n, ['host is', 'hosts are'])} ${why}`
        : `${n} ${n === 1 ? 'is' : 'are'} ${why}`,
    ),
  );
}

/** Describes the hosts excluded from the sums; undefined if none, or all, are excluded. */
export function excludedText(teepods: readonly AdminTeepod[]): string | undefined {
  const closed = teepods.filter((teepod) => !takesCvms(teepod)).length;
  if (closed === 0 || closed === teepods.length) return undefined;
  return closed === 1
    ? 'Excludes 1 host that isn’t accepting new CVMs.'
    : `Excludes ${counted(closed, ['host', 'hosts'])} that aren’t accepting new CVMs.`;
}

/** Returns the capacity held by deleted CVMs in the recycle bin. */
export function recycledOf(teepods: readonly AdminTeepod[]): { cvms: number; disk_gb: number } {
  const online = teepods.filter((teepod) => teepod.state !== 'offline');
  return {
    cvms: online.reduce((sum, teepod) => sum + teepod.recycled_cvms, 0),
    disk_gb: online.reduce((sum, teepod) => sum + teepod.recycled_disk_gb, 0),
  };
}

/** A fleet that accepts no CVMs, or is nearly full. A single nearly full host has its own line. */
export function concernsOfCapacity(teepods: readonly AdminTeepod[]): Concern[] {
  if (teepods.length === 0) return [];
  const open = teepods.filter(takesCvms);
  const concern = (tone: Concern['tone'], title: string, detail: string): Concern[] => [
    { key: 'capacity', tone, title, detail, href: adminHref.list('teepods'), since: null },
  ];
  const closed = closedText(teepods);
  if (closed !== undefined) {
    const reasons = new Set(teepods.map(whyClosed));
    const remedy =
      reasons.has('cordoned') || reasons.has('drained')
        ? 'Uncordon a teepod or add one.'
        : reasons.has('draining')
          ? 'Cancel a drain or add a teepod.'
          : 'Bring a teepod back online or add one.';
    const why = teepods.length === 1 ? closed : closed.charAt(0).toUpperCase() + closed.slice(1);
    return concern('error', 'No host is accepting new CVMs', `${why}. Deployments are refused. ${remedy}`);
  }
  const full = capacityOf(open).filter(({ sums }) => isNearlyFull(sums));
  if (open.length === 1 || full.length === 0) return [];
  const shares = full.map(({ noun, sums }) => `${noun} ${Math.round((sums.used / sums.max) * 100)}%`);
  return concern(
    'attention',
    'The fleet is nearly full',
    `In use: ${shares.join(', ')}. Add a teepod or move CVMs.`,
  );
}
