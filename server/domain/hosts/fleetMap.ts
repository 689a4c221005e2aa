import type {
  AdminFleetConcern,
  AdminFleetSums,
  AdminMaintenanceWindow,
  TextKey,
} from '../../../generated/api/types.gen';
import { hostText } from '../../../console/lib/texts/hostTexts';
import { join, type Text } from '../../../console/lib/texts/text';
import { textKeys } from '../core/textKeys';

/** The fleet map's additions to its rows: totals, and what needs attention. */

type Used = 'cvms' | 'vcpu' | 'memory_mb' | 'disk_gb';

type Load = Record<`used_${Used}` | `max_${Used}`, number> & {
  recycled_cvms: number;
  recycled_disk_gb: number;
  gpus: number;
  used_gpus: number;
};

export interface TeepodOnMap extends Load {
  id: number;
  node_id: number;
  name: string;
  url: string;
  kind: string;
  state: string;
  reachable: boolean;
  last_error: string | null;
  warnings: readonly string[];
  drift: number;
  drain_id: number | null;
  drain_state: string | null;
  drain_message: string | null;
  /** Administrators' limit; `max_cvms` is lower if the host's own limit is. */
  configured_cvms: number;
  drain_message_keys: TextKey[] | null;
  host_cvms: number | null;
  host_vcpu: number | null;
  host_memory_mb: number | null;
}

interface Window {
  id: number;
  node_id: number;
  starts_at: Date;
  ends_at: Date;
  notice_hours: number;
  reason: string;
  notified_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export type WindowOnMap = Window & { state: AdminMaintenanceWindow['state'] };

interface Node {
  id: number;
  name: string;
  region: string | null;
  state: string;
}

export interface NodeOnMap extends Node {
  teepods: TeepodOnMap[];
  windows: WindowOnMap[];
  concerns: AdminFleetConcern[];
}

export function grouped<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

export function mapNodes(everything: {
  nodes: readonly Node[];
  teepods: readonly TeepodOnMap[];
  windows: readonly Window[];
}): NodeOnMap[] {
  const teepods = grouped(everything.teepods, ({ node_id }) => node_id);
  const windows = grouped(everything.windows, ({ node_id }) => node_id);
  const now = new Date();
  return everything.nodes.map((node) => ({
    ...node,
    teepods: teepods.get(node.id) ?? [],
    windows: (windows.get(node.id) ?? []).map((window) => ({
      ...window,
      state: window.starts_at <= now ? 'active' : window.notified_at ? 'announced' : 'planned',
    })),
    concerns:
      node.state === 'online' ? [] : [concern('warning', hostText('node_closed', { status: node.state }))],
  }));
}

/** The current or next maintenance window. */
export const nearestWindow = ({ windows }: NodeOnMap): WindowOnMap | undefined =>
  windows.toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime())[0];

const KEYS = [
  'used_cvms',
  'max_cvms',
  'used_vcpu',
  'max_vcpu',
  'used_memory_mb',
  'max_memory_mb',
  'used_disk_gb',
  'max_disk_gb',
  'recycled_cvms',
  'recycled_disk_gb',
  'gpus',
  'used_gpus',
] as const satisfies readonly (keyof AdminFleetSums)[];

export function sumsOf(teepods: readonly Load[]): AdminFleetSums {
  const sums = Object.fromEntries(KEYS.map((key) => [key, 0])) as Record<(typeof KEYS)[number], number>;
  for (const teepod of teepods) for (const key of KEYS) sums[key] += teepod[key];
  return sums;
}

/** Resources a host lets administrators overcommit. */
const RESOURCES = [
  ['vcpu', 'host_vcpu'],
  ['memory_mb', 'host_memory_mb'],
] as const;

const concern = (tone: AdminFleetConcern['tone'], { keys, text }: Text): AdminFleetConcern => ({
  tone,
  text,
  text_keys: keys,
});

/** Returns why a drain is blocked. Drains of an earlier version have only a sentence. */
function drainBlocked({ drain_message: text, drain_message_keys }: TeepodOnMap): Text {
  const blocked = hostText('drain_blocked');
  if (text === null) return blocked;
  const keys = textKeys(drain_message_keys);
  return join(blocked, keys.length > 0 ? { keys, text } : hostText('drain_said', { text }));
}

export function fleetConcerns(teepod: TeepodOnMap): {
  concerns: AdminFleetConcern[];
  oversubscribed: boolean;
} {
  const concerns: AdminFleetConcern[] = [];
  const error = (text: Text) => concerns.push(concern('error', text));
  const warning = (text: Text) => concerns.push(concern('warning', text));
  const offline = teepod.state === 'offline';
  if (!teepod.reachable && !offline)
    error(
      teepod.last_error ? hostText('teepod_error', { text: teepod.last_error }) : hostText('teepod_silent'),
    );
  if (teepod.drain_state === 'blocked') error(drainBlocked(teepod));
  // Not compared anymore.
  if (teepod.drift > 0 && !offline) warning(hostText('drift', { count: teepod.drift }));
  if (!offline && [teepod.max_cvms, teepod.max_vcpu, teepod.max_memory_mb, teepod.max_disk_gb].includes(0))
    warning(hostText('capacity_missing'));
  let oversubscribed = false;
  for (const [resource, host] of RESOURCES) {
    const limit = teepod[host];
    const count = teepod[`max_${resource}`];
    if (limit !== null && limit > 0 && count > limit) {
      oversubscribed = true;
      warning(hostText('overcommitted', { resource, count, limit }));
    }
  }
  if (teepod.configured_cvms > teepod.max_cvms)
    warning(hostText('host_cvm_limit', { count: teepod.configured_cvms, limit: teepod.max_cvms }));
  for (const resource of ['cvms', 'vcpu', 'memory_mb', 'disk_gb'] as const) {
    const count = teepod[`used_${resource}`];
    const limit = teepod[`max_${resource}`];
    if (count > limit) warning(hostText('over_limit', { resource, count, limit }));
  }
  if (
    teepod.state === 'online' &&
    teepod.reachable &&
    teepod.max_cvms > 0 &&
    teepod.used_cvms >= teepod.max_cvms
  )
    warning(hostText('slots_full'));
  if (!offline) for (const text of teepod.warnings) warning(hostText('teepod_warning', { text }));
  return { concerns, oversubscribed };
}

export const needsPerson = (node: NodeOnMap): boolean =>
  node.concerns.length > 0 || node.teepods.some((teepod) => fleetConcerns(teepod).concerns.length > 0);
