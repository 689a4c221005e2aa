/** One row per shard: which worker asks its hosts (migration 0280_host_shards). */
export interface HostShardsTable {
  shard: number;
  lease_owner: string | null;
  lease_until: Date | null;
}
