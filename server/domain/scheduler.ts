import { Problem } from './problem';

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
  /** Free ones that the team could have. */
  gpus: number;
}

export interface Wish {
  size: Size;
  /** How many; none when absent. */
  gpus?: number | undefined;
  region?: string | undefined;
}

/**
 * Hosts the wish fits on, best first: the one with most memory left after it, so that load spreads; of what needs no GPU
 * the hosts that have one come last.
 */
export function rank<C extends Candidate>(candidates: readonly C[], wish: Wish): C[] {
  return candidates
    .filter(
      (c) => fits(c, wish.size) && c.gpus >= (wish.gpus ?? 0) && (!wish.region || c.region === wish.region),
    )
    .sort(
      (a, b) =>
        spared(a, wish) - spared(b, wish) ||
        b.memory_mb - a.memory_mb ||
        b.vcpu - a.vcpu ||
        a.teepod_id - b.teepod_id,
    );
}

const spared = (host: Candidate, { gpus = 0 }: Wish) => (gpus === 0 && host.gpus > 0 ? 1 : 0);

export const fits = (free: Size & { slots: number }, size: Size) =>
  free.slots >= 1 &&
  free.vcpu >= size.vcpu &&
  free.memory_mb >= size.memory_mb &&
  free.disk_gb >= size.disk_gb;

/** Why nothing fits, naming the limit that was hit and the nearest size that would fit. */
export function refusal(candidates: readonly Candidate[], wish: Wish): Problem {
  const near = wish.region ? candidates.filter((c) => c.region === wish.region) : candidates;
  if (near.length === 0) {
    return new Problem(wish.region ? 'NODE_NOT_FOUND' : 'RESOURCE_NOT_AVAILABLE', {
      message: wish.region
        ? `No host in region “${wish.region}” takes new CVMs now.`
        : 'No host takes new CVMs now.',
      suggestions: wish.region
        ? ['Choose another region, or none.']
        : ['Try again later, or ask an administrator to add a host.'],
    });
  }
  const best = [...near].sort((a, b) => b.slots - a.slots || b.memory_mb - a.memory_mb)[0] as Candidate;
  const withSlot = near.filter((c) => c.slots >= 1);
  const details = [
    {
      field: 'capacity',
      message: `The host with most room, ${best.teepod_name}, has ${best.slots} CVM slots, ${best.vcpu} vCPU, ${best.memory_mb} MB memory and ${best.disk_gb} GB disk free.`,
    },
  ];
  const suggestions = ['Choose a smaller size, delete a CVM you no longer need, or try again later.'];
  if (withSlot.length === 0) {
    return new Problem('INSUFFICIENT_SLOTS', {
      message: 'Every CVM slot of the hosts you may use is taken (limit: CVM slots).',
      details,
      suggestions,
    });
  }
  const { gpus = 0 } = wish;
  const mostGpus = Math.max(...withSlot.map((c) => c.gpus));
  if (mostGpus < gpus) {
    return new Problem('INSUFFICIENT_GPU', {
      message: `No host has ${gpus === 1 ? 'a GPU' : `${gpus} GPUs`} free for your team (limit: GPUs; most free: ${mostGpus}).`,
      suggestions: [
        'Try again later, choose a size with fewer GPUs, or ask an administrator to reserve GPUs for your team.',
      ],
    });
  }
  const most = (field: keyof Size) => Math.max(...withSlot.map((c) => c[field]));
  if (most('vcpu') < wish.size.vcpu) {
    return new Problem('INSUFFICIENT_VCPU', {
      message: `No host has ${wish.size.vcpu} vCPU free (limit: vCPU; most free: ${most('vcpu')}).`,
      details,
      suggestions,
    });
  }
  if (most('memory_mb') < wish.size.memory_mb) {
    return new Problem('INSUFFICIENT_MEMORY', {
      message: `No host has ${wish.size.memory_mb} MB of memory free (limit: memory; most free: ${most('memory_mb')} MB).`,
      details,
      suggestions,
    });
  }
  return new Problem('RESOURCE_NOT_AVAILABLE', {
    message: `No host has ${wish.size.vcpu} vCPU, ${wish.size.memory_mb} MB of memory and ${wish.size.disk_gb} GB of disk free together (limit: disk; most free: ${most('disk_gb')} GB).`,
    details,
    suggestions,
  });
}
