/**
 * Container usage: memory, CPU time and traffic from the engine's statistics, disk from its disk usage
 * report.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerStats, ContainerSummary, DockerApi } from './dockerApi';
import type { Usage } from './types';

interface ContainerUsage extends Pick<Usage, 'memory_bytes' | 'interfaces'> {
  /** Microseconds since the container started; undefined if it ended in the meantime. */
  cpu_us: number | undefined;
}

export async function containerUsage(api: DockerApi, one: ContainerSummary): Promise<ContainerUsage> {
  const path = `/containers/${encodeURIComponent(one.Id)}/stats?stream=false&one-shot=true`;
  // A container that ends between the list and this call uses nothing.
  const stats: ContainerStats = await api
    .json<ContainerStats>('GET', path, { timeoutMs: 10_000 })
    .catch(() => ({}));
  const memory = stats.memory_stats;
  // Like `docker stats`: page cache the kernel can drop doesn't count as used.
  const cache = memory?.stats?.['total_inactive_file'] ?? memory?.stats?.['inactive_file'] ?? 0;
  const service = one.Labels['teehouse.service'] ?? one.Id.slice(0, 12);
  const addresses = Object.values(one.NetworkSettings?.Networks ?? {})
    .filter((network) => network.IPAddress)
    .map((network) => ({ address: network.IPAddress ?? '', prefix: network.IPPrefixLen ?? 0 }));
  const nanoseconds = stats.cpu_stats?.cpu_usage?.total_usage;
  return {
    cpu_us: nanoseconds === undefined ? undefined : Math.floor(nanoseconds / 1000),
    memory_bytes: Math.max(0, (memory?.usage ?? 0) - cache),
    interfaces: Object.entries(stats.networks ?? {}).map(([name, traffic], index) => ({
      name: `${service}:${name}`,
      addresses: addresses.slice(index, index + 1),
      rx_bytes: traffic.rx_bytes,
      tx_bytes: traffic.tx_bytes,
      rx_errors: traffic.rx_errors,
      tx_errors: traffic.tx_errors,
    })),
  };
}

/** A CVM's CPU time, which doesn't fall when one of its containers is recreated with a count of 0. */
export class CpuClock {
  readonly #vms = new Map<string, { total: number; seen: Map<string, number> }>();

  /** @returns microseconds since this teepod first looked */
  advance(vmId: string, containers: readonly { id: string; cpu_us: number | undefined }[]): number {
    const before = this.#vms.get(vmId) ?? { total: 0, seen: new Map<string, number>() };
    const seen = new Map<string, number>();
    let { total } = before;
    for (const { id, cpu_us } of containers) {
      const earlier = before.seen.get(id) ?? 0;
      // Restarted with the same ID: it counts from 0 again.
      if (cpu_us !== undefined) total += cpu_us >= earlier ? cpu_us - earlier : cpu_us;
      seen.set(id, cpu_us ?? earlier);
    }
    this.#vms.set(vmId, { total, seen });
    return total;
  }

  forget(vmId: string): void {
    this.#vms.delete(vmId);
  }
}

interface SystemUsage {
  Containers: { Labels?: Record<string, string> | null; SizeRw?: number }[] | null;
  Volumes: { Labels?: Record<string, string> | null; UsageData?: { Size: number } | null }[] | null;
}

const KEPT_MS = 60_000;
/** A CVM missing from the result is newer than it. It triggers a recount, but not in a loop. */
const AGAIN_MS = 2_000;
/** CPU and memory wait no longer for a count, which takes minutes on some machines. */
const WAIT_MS = 2_000;

/**
 * Bytes used by each CVM's layers and volumes. The engine counts file by file for all CVMs together, so the
 * result is cached for a minute and shared.
 */
export class DiskAccounts {
  #asked = -Infinity;
  #sizes: Map<string, number> | undefined;
  #counting: Promise<void> | undefined;

  constructor(
    readonly api: DockerApi,
    readonly label: string,
  ) {}

  /** Returns undefined while unknown. */
  async of(vmId: string): Promise<number | undefined> {
    const age = Date.now() - this.#asked;
    const known = this.#sizes?.get(vmId);
    const counting = age > (known === undefined ? AGAIN_MS : KEPT_MS) ? this.#count() : this.#counting;
    // A minute-old count is accurate enough.
    if (known === undefined) await Promise.race([counting, wait(WAIT_MS, undefined, { ref: false })]);
    return known ?? this.#sizes?.get(vmId);
  }

  /** Returns bytes from the last count, and starts a new count if that is old. */
  known(vmId: string): number | undefined {
    if (Date.now() - this.#asked > KEPT_MS) void this.#count();
    return this.#sizes?.get(vmId);
  }

  #count(): Promise<void> {
    this.#counting ??= this.#read().finally(() => {
      this.#counting = undefined;
      this.#asked = Date.now();
    });
    return this.#counting;
  }

  async #read(): Promise<void> {
    const found = await this.api
      .json<SystemUsage>('GET', '/system/df', { timeoutMs: 60_000 })
      .catch(() => undefined);
    if (!found) return;
    const sizes = new Map<string, number>();
    const add = (labels: Record<string, string> | null | undefined, bytes: number | undefined) => {
      const vm = labels?.[this.label];
      if (vm !== undefined) sizes.set(vm, (sizes.get(vm) ?? 0) + Math.max(0, bytes ?? 0));
    };
    for (const one of found.Containers ?? []) add(one.Labels, one.SizeRw ?? 0);
    for (const one of found.Volumes ?? []) add(one.Labels, one.UsageData?.Size);
    this.#sizes = sizes;
  }
}
