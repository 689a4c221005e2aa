/** CPU, memory and process limits of a service, never above the size of its CVM. */
import { bytes, decimal, integer, map, onlyKeys, refuse } from './values';
import type { Out, Yaml, YamlMap } from './yaml';

export interface CvmLimits {
  cpus: number;
  memory_bytes: number;
  pids: number;
}

const MAX_REPLICAS = 16;
/** Minimum the engine accepts. */
const MIN_MEMORY = 6 * 2 ** 20;

export function serviceLimits(
  service: YamlMap,
  where: string,
  cvm: CvmLimits,
): { cpus: number; mem_limit: number; memswap_limit: number; pids_limit: number; replicas: number } & {
  [key: string]: Out;
} {
  const deploy = service['deploy'] == null ? undefined : map(service['deploy'], `${where}.deploy`);
  if (deploy) {
    onlyKeys(deploy, `${where}.deploy`, [
      'resources',
      'replicas',
      'mode',
      'restart_policy',
      'labels',
      'update_config',
      'rollback_config',
      'endpoint_mode',
    ]);
  }
  const at = `${where}.deploy.resources`;
  const resources = deploy?.['resources'] == null ? undefined : map(deploy['resources'], at);
  if (resources) onlyKeys(resources, at, ['limits', 'reservations']);
  const limits = resources?.['limits'] == null ? undefined : map(resources['limits'], `${at}.limits`);
  if (limits) onlyKeys(limits, `${at}.limits`, ['cpus', 'memory', 'pids']);
  const reserved =
    resources?.['reservations'] == null ? undefined : map(resources['reservations'], `${at}.reservations`);
  if (reserved?.['devices'] != null)
    refuse(`${at}.reservations.devices`, 'device reservations are not supported by the local teepod');

  const first = (...pairs: [Yaml | undefined, string][]): [Yaml, string] | undefined => {
    const found = pairs.find(([value]) => value !== undefined && value !== null);
    return found ? [found[0] ?? null, found[1]] : undefined;
  };
  const cpus = first([service['cpus'], `${where}.cpus`], [limits?.['cpus'], `${at}.limits.cpus`]);
  const memory = first(
    [service['mem_limit'], `${where}.mem_limit`],
    [limits?.['memory'], `${at}.limits.memory`],
  );
  const pids = first([service['pids_limit'], `${where}.pids_limit`], [limits?.['pids'], `${at}.limits.pids`]);
  const copies = first(
    [service['scale'], `${where}.scale`],
    [deploy?.['replicas'], `${where}.deploy.replicas`],
  );

  const memoryBytes = memory ? bytes(...memory) : cvm.memory_bytes;
  if (memory && memoryBytes > cvm.memory_bytes) {
    refuse(memory[1], `requests ${mib(memoryBytes)} MiB, but the CVM has ${mib(cvm.memory_bytes)} MiB`);
  }
  if (memory && memoryBytes < MIN_MEMORY) refuse(memory[1], 'must be at least 6m');
  const cpuCount = cpus ? decimal(...cpus) : cvm.cpus;
  if (cpus && cpuCount > cvm.cpus) refuse(cpus[1], `requests ${cpuCount} CPUs, but the CVM has ${cvm.cpus}`);
  const pidsLimit = pids ? integer(...pids, -1, 2 ** 31) : cvm.pids;
  return {
    cpus: cpuCount > 0 ? Math.max(cpuCount, 0.01) : cvm.cpus,
    mem_limit: memoryBytes,
    memswap_limit: memoryBytes,
    pids_limit: pidsLimit > 0 ? Math.min(pidsLimit, cvm.pids) : cvm.pids,
    replicas: copies ? integer(...copies, 1, MAX_REPLICAS) : 1,
  };
}

const mib = (value: number): number => Math.round(value / 2 ** 20);
