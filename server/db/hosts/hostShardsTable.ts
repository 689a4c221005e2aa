/** One row per shard: the worker that queries its hosts (migration 0280_host_shards). */
export interface HostShardsTable {
  shard: number;
  lease_owner: string | null;
  lease_until: Date | null;
}
