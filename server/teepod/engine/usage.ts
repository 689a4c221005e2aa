/** Memory and traffic of one container from the engine's statistics. */
import type { ContainerStats, ContainerSummary, DockerApi } from './dockerApi';
import type { Usage } from './types';

export async function containerUsage(api: DockerApi, one: ContainerSummary): Promise<Usage> {
  const path = `/containers/${encodeURIComponent(one.Id)}/stats?stream=false&one-shot=true`;
  // A container that ends between the list and this call uses nothing.
  const stats: ContainerStats = await api
    .json<ContainerStats>('GET', path, { timeoutMs: 10_000 })
    .catch(() => ({}));
  const memory = stats.memory_stats;
  // As `docker stats` counts: page cache the kernel can drop is not used memory.
  const cache = memory?.stats?.['total_inactive_file'] ?? memory?.stats?.['inactive_file'] ?? 0;
  const service = one.Labels['teehouse.service'] ?? one.Id.slice(0, 12);
  const addresses = Object.values(one.NetworkSettings?.Networks ?? {})
    .filter((network) => network.IPAddress)
    .map((network) => ({ address: network.IPAddress ?? '', prefix: network.IPPrefixLen ?? 0 }));
  return {
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
