import type {
  AdminFleetConcern,
  AdminFleetSums,
  AdminMaintenanceWindow,
} from '../../generated/api/types.gen';

/** What the map of the fleet says beyond its rows: sums, and what a person should look at. */

type Used = 'cvms' | 'vcpu' | 'memory_mb' | 'disk_gb';

type Load = Record<`used_${Used}` | `max_${Used}`, number> & { gpus: number; used_gpus: number };

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
      node.state === 'online'
        ? []
        : [{ tone: 'warning', text: `The node is ${node.state}: its teepods take no new CVMs.` }],
  }));
}

/** The window that is on, or comes next. */
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
  'gpus',
  'used_gpus',
] as const satisfies readonly (keyof AdminFleetSums)[];

export function sumsOf(teepods: readonly Load[]): AdminFleetSums {
  const sums = Object.fromEntries(KEYS.map((key) => [key, 0])) as Record<(typeof KEYS)[number], number>;
  for (const teepod of teepods) for (const key of KEYS) sums[key] += teepod[key];
  return sums;
}

const RESOURCES = [
  ['CVMs', 'cvms', 'host_cvms'],
  ['vCPU', 'vcpu', 'host_vcpu'],
  ['MB of memory', 'memory_mb', 'host_memory_mb'],
] as const;

export function fleetConcerns(teepod: TeepodOnMap): {
  concerns: AdminFleetConcern[];
  oversubscribed: boolean;
} {
  const concerns: AdminFleetConcern[] = [];
  const error = (text: string) => concerns.push({ tone: 'error', text: text.slice(0, 2000) });
  const warning = (text: string) => concerns.push({ tone: 'warning', text: text.slice(0, 2000) });
  const offline = teepod.state === 'offline';
  if (!teepod.reachable && !offline)
    error(`It does not answer${teepod.last_error ? `: ${teepod.last_error}` : '.'}`);
  if (teepod.drain_state === 'blocked') error(`Its drain is blocked. ${teepod.drain_message ?? ''}`.trim());
  if (teepod.drift > 0)
    warning(`Host and database differ over ${teepod.drift === 1 ? 'one CVM' : `${teepod.drift} CVMs`}.`);
  if (!offline && [teepod.max_cvms, teepod.max_vcpu, teepod.max_memory_mb, teepod.max_disk_gb].includes(0))
    warning('Some of its capacity is not set, so nothing can be placed on it.');
  let oversubscribed = false;
  for (const [what, key, host] of RESOURCES) {
    const has = teepod[host];
    const given = teepod[`max_${key}`];
    if (has !== null && has > 0 && given > has) {
      oversubscribed = true;
      warning(`More ${what} are given away (${given}) than the host says it has (${has}).`);
    }
  }
  for (const [what, key] of [...RESOURCES, ['GB of disk', 'disk_gb'] as const])
    if (teepod[`used_${key}`] > teepod[`max_${key}`])
      warning(`More ${what} are held (${teepod[`used_${key}`]}) than it may give (${teepod[`max_${key}`]}).`);
  if (
    teepod.state === 'online' &&
    teepod.reachable &&
    teepod.max_cvms > 0 &&
    teepod.used_cvms >= teepod.max_cvms
  )
    warning('Every CVM slot is taken.');
  if (!offline) for (const text of teepod.warnings) warning(text);
  return { concerns, oversubscribed };
}

export const needsPerson = (node: NodeOnMap): boolean =>
  node.concerns.length > 0 || node.teepods.some((teepod) => fleetConcerns(teepod).concerns.length > 0);
