import { capacityText } from '../../../console/lib/texts/drainTexts';
import type { Text } from '../../../console/lib/texts/text';
import type { ProblemName } from '../../../generated/api/permissions.gen';
import { Problem } from '../core/problem';

/** vCPUs, memory in MB, disk in GB. */
export interface Size {
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
}

export interface Candidate extends Size {
  teepod_id: number;
  teepod_name: string;
  region: string | null;
  slots: number;
  /** CVMs and open deployments on it. */
  reservations: number;
  /** Free GPUs the team could have. */
  gpus: number;
}

/** Whether a host can run CVMs of this key service; null is a CVM without one. */
export const usesKms = (
  host: { kms_id: number | null; kms_ids: readonly number[] },
  kms_id: number | null,
): boolean => (kms_id === null ? host.kms_id === null : host.kms_ids.includes(kms_id));

/** How a host is chosen among those with room. */
export type PlacementPolicy = 'spread' | 'pack';

export interface Wish {
  size: Size;
  /** How many; none when absent. */
  gpus?: number | undefined;
  region?: string | undefined;
}

/**
 * Returns the hosts that fit, best first. To spread load, those with the most memory left; to pack it, the fullest, and
 * empty ones only after all others. For requests without GPUs, hosts with GPUs come last.
 */
export function rank<C extends Candidate>(
  candidates: readonly C[],
  wish: Wish,
  policy: PlacementPolicy,
): C[] {
  return candidates
    .filter((c) => fits(c, wish.size) && hasGpusFree(c, wish) && (!wish.region || c.region === wish.region))
    .sort((a, b) => spared(a, wish) - spared(b, wish) || ORDERS[policy](a, b) || a.teepod_id - b.teepod_id);
}

const ORDERS: Record<PlacementPolicy, (a: Candidate, b: Candidate) => number> = {
  spread: (a, b) => b.memory_mb - a.memory_mb || b.vcpu - a.vcpu,
  pack: (a, b) =>
    Number(isEmpty(a)) - Number(isEmpty(b)) ||
    roomOf(a) - roomOf(b) ||
    a.memory_mb - b.memory_mb ||
    a.vcpu - b.vcpu,
};

const isEmpty = ({ reservations }: Candidate) => reservations === 0;

/** Returns how many CVMs of 1 vCPU and 2 GB this is enough for, as `teepod_loads.room` does. */
export const roomOf = ({ vcpu, memory_mb }: Pick<Size, 'vcpu' | 'memory_mb'>): number =>
  Math.min(vcpu, Math.trunc(memory_mb / 2048));

/** An app's CVMs on a teepod of a machine. */
export interface Replicas {
  teepod_id: number;
  node_id: number;
  count: number;
}

/**
 * Orders ranked hosts by the number of the app's CVMs on their machine, then on the host, so that a failure takes as few
 * replicas as possible.
 */
export function apart<C extends Pick<Replicas, 'teepod_id' | 'node_id'>>(
  ranked: readonly C[],
  replicas: readonly Replicas[],
): C[] {
  const on = (isThere: (one: Replicas) => boolean) =>
    replicas.reduce((sum, one) => sum + (isThere(one) ? one.count : 0), 0);
  return ranked
    .map((host) => ({
      host,
      machine: on(({ node_id }) => node_id === host.node_id),
      teepod: on(({ teepod_id }) => teepod_id === host.teepod_id),
    }))
    .sort((a, b) => a.machine - b.machine || a.teepod - b.teepod)
    .map(({ host }) => host);
}

/**
 * Whether a deployment may take `host` without waiting for another one that is reserving on the better `best`. To spread
 * load, unless the host is spared for other requests. To pack it, only if both have CVMs: an empty host is used once
 * `best` is known to be full.
 */
export const isAsGood = (host: Candidate, best: Candidate, wish: Wish, policy: PlacementPolicy): boolean =>
  spared(host, wish) === spared(best, wish) && (policy === 'spread' || !(isEmpty(host) || isEmpty(best)));

const spared = (host: Candidate, wish: Wish) => (isSpared(host, wish) ? 1 : 0);

/** Whether other hosts come first, because this one has GPUs that the CVM doesn't need. */
export const isSpared = (host: Pick<Candidate, 'gpus'>, { gpus = 0 }: Pick<Wish, 'gpus'>): boolean =>
  gpus === 0 && host.gpus > 0;

export type Capacity = Size & { slots: number };

/** Whether there is enough of each resource for a CVM of this size. */
export const fitsBy: Record<keyof Capacity, (free: Capacity, size: Size) => boolean> = {
  slots: (free) => free.slots >= 1,
  vcpu: (free, size) => free.vcpu >= size.vcpu,
  memory_mb: (free, size) => free.memory_mb >= size.memory_mb,
  disk_gb: (free, size) => free.disk_gb >= size.disk_gb,
};

export const fits = (free: Capacity, size: Size): boolean =>
  fitsBy.slots(free, size) &&
  fitsBy.vcpu(free, size) &&
  fitsBy.memory_mb(free, size) &&
  fitsBy.disk_gb(free, size);

export const hasGpusFree = ({ gpus }: Pick<Candidate, 'gpus'>, wish: Pick<Wish, 'gpus'>): boolean =>
  gpus >= (wish.gpus ?? 0);

/**
 * Explains why nothing fits, naming the limit and the nearest size that would fit. `bin`: the recycle bin's
 * part of the missing capacity; see `binTexts`.
 */
export function refusal(
  candidates: readonly Candidate[],
  wish: Wish,
  bin: { message: string; suggestion: string | null } | null = null,
): Problem {
  const near = inRegion(candidates, wish);
  const { problem, reason } = shortage(candidates, wish);
  if (near.length === 0)
    return new Problem(problem, {
      message: reason.text,
      suggestions: wish.region
        ? ['Choose another region, or leave it out.']
        : ['Try again later, or ask an administrator to add a host.'],
    });
  if (problem === 'INSUFFICIENT_GPU')
    return new Problem(problem, {
      message: reason.text,
      suggestions: [
        'Try again later, choose a size with fewer GPUs, or ask an administrator to reserve GPUs for your team.',
      ],
    });
  const best = [...near].sort((a, b) => b.slots - a.slots || b.memory_mb - a.memory_mb)[0] as Candidate;
  const free = (field: keyof Capacity) => Math.max(0, best[field]);
  return new Problem(problem, {
    message: bin ? `${reason.text} ${bin.message}` : reason.text,
    details: [
      {
        field: 'capacity',
        message: `The host with the most free capacity, ${best.teepod_name}, has ${free('slots')} CVM ${best.slots === 1 ? 'slot' : 'slots'}, ${free('vcpu')} vCPU, ${free('memory_mb')} MB memory and ${free('disk_gb')} GB disk free.`,
      },
    ],
    suggestions: [
      ...(bin?.suggestion ? [bin.suggestion] : []),
      'Choose a smaller size, delete a CVM you no longer need, or try again later.',
    ],
  });
}

export const inRegion = <C extends Candidate>(
  candidates: readonly C[],
  { region }: Pick<Wish, 'region'>,
): readonly C[] => (region ? candidates.filter((candidate) => candidate.region === region) : candidates);

/** Names the limit that was hit, given that nothing fits. */
export function shortage(
  candidates: readonly Candidate[],
  wish: Wish,
): { problem: ProblemName; reason: Text } {
  const { size, region, gpus = 0 } = wish;
  const near = inRegion(candidates, wish);
  if (near.length === 0)
    return region
      ? { problem: 'NODE_NOT_FOUND', reason: capacityText('no_region_host', { region }) }
      : { problem: 'RESOURCE_NOT_AVAILABLE', reason: capacityText('no_host') };
  const withSlot = near.filter((candidate) => candidate.slots >= 1);
  if (withSlot.length === 0) return { problem: 'INSUFFICIENT_SLOTS', reason: capacityText('no_slot') };
  // Less than nothing is free where more is held and used than the host has.
  const most = (field: keyof Size | 'gpus') => Math.max(0, ...withSlot.map((candidate) => candidate[field]));
  if (most('gpus') < gpus)
    return {
      problem: 'INSUFFICIENT_GPU',
      reason: capacityText('no_gpu', { wanted: gpus, most: most('gpus') }),
    };
  if (most('vcpu') < size.vcpu)
    return {
      problem: 'INSUFFICIENT_VCPU',
      reason: capacityText('no_vcpu', { wanted: size.vcpu, most: most('vcpu') }),
    };
  if (most('memory_mb') < size.memory_mb)
    return {
      problem: 'INSUFFICIENT_MEMORY',
      reason: capacityText('no_memory', { wanted: size.memory_mb, most: most('memory_mb') }),
    };
  return {
    problem: 'RESOURCE_NOT_AVAILABLE',
    reason: capacityText('no_disk', { ...size, most: most('disk_gb') }),
  };
}
