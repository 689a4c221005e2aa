/** Hosts are divided by ID into this many shards. The table host_shards has a row for each. */
export const HOST_SHARDS = 64;
/** Odd, and 64 divided by the golden ratio: hosts added in sequence get shards far apart, so every worker gets some. */
export const SHARD_STEP = 39;

export const shardOf = (teepod_id: number): number => ((teepod_id % HOST_SHARDS) * SHARD_STEP) % HOST_SHARDS;

/** Returns how many shards a worker may hold. The shares of all workers add up to all shards. */
export function shareOf(worker: string, workers: readonly string[]): number {
  const ids = [...new Set([...workers, worker])].sort();
  const remainder = HOST_SHARDS % ids.length;
  return Math.floor(HOST_SHARDS / ids.length) + (ids.indexOf(worker) < remainder ? 1 : 0);
}
