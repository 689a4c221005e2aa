import { fits, inRegion, type Candidate, type Size, type Wish } from './scheduler';

/**
 * Capacity that deleted CVMs in the recycle bin hold on hosts, and which of them make room for a deployment.
 * Rules without I/O.
 */

/** A deleted CVM whose VM and disk are still on a host. */
export interface RecycledCvm {
  id: number;
  teepod_id: number;
  disk_gb: number;
  /** It belongs to the team that deploys. */
  is_own: boolean;
  deleted_at: Date;
  /** It may be purged early: old enough, settled, and not kept for another reason. */
  is_purgeable: boolean;
  /** It is being destroyed, so its capacity is about to be free. */
  is_purging: boolean;
}

interface Held {
  slots: number;
  disk_gb: number;
}

/**
 * The recycle bin holds neither vCPUs nor memory nor GPUs, so a host that lacks those doesn't fit, whatever is
 * purged.
 */
const fitsOtherwise = (host: Candidate, size: Size, gpus: number) =>
  host.vcpu >= size.vcpu && host.memory_mb >= size.memory_mb && host.gpus >= gpus;

const heldBy = (cvms: readonly RecycledCvm[]): Held => ({
  slots: cvms.length,
  disk_gb: cvms.reduce((sum, { disk_gb }) => sum + disk_gb, 0),
});

/**
 * Returns how much of the missing capacity the recycle bin holds on the hosts that fit otherwise: for all
 * teams, and for the deploying one. Null if it holds none of it.
 */
export function shareOfBin(
  hosts: readonly Candidate[],
  { size, gpus = 0, region }: Wish,
  recycled: readonly RecycledCvm[],
): { all: Held; own: Held } | null {
  const fitting = inRegion(hosts, { region }).filter((host) => fitsOtherwise(host, size, gpus));
  const share = { all: { slots: 0, disk_gb: 0 }, own: { slots: 0, disk_gb: 0 } };
  for (const host of fitting) {
    const there = recycled.filter(({ teepod_id }) => teepod_id === host.teepod_id);
    for (const [part, cvms] of [
      [share.all, there],
      [share.own, there.filter(({ is_own }) => is_own)],
    ] as const) {
      const held = heldBy(cvms);
      if (host.slots < 1) part.slots += held.slots;
      if (host.disk_gb < size.disk_gb) part.disk_gb += held.disk_gb;
    }
  }
  return share.all.slots === 0 && share.all.disk_gb === 0 ? null : share;
}

const amount = ({ slots, disk_gb }: Held) =>
  [
    ...(slots > 0 ? [slots === 1 ? '1 CVM slot' : `${slots} CVM slots`] : []),
    ...(disk_gb > 0 ? [`${disk_gb} GB of disk`] : []),
  ].join(' and ');

/** Returns the sentence about the recycle bin for a refusal, and what the team can do. */
export function binTexts(
  share: ReturnType<typeof shareOfBin>,
): { message: string; suggestion: string | null } | null {
  if (share === null) return null;
  const { all, own } = share;
  const owned = amount(own);
  const message = `Deleted CVMs in the recycle bin take up ${amount(all)} on otherwise suitable hosts`;
  return {
    message: owned === '' ? `${message}.` : `${message}, including ${owned} from your team.`,
    suggestion:
      owned === '' ? null : "Destroy deleted CVMs in your team's recycle bin that you no longer need.",
  };
}

export interface Room {
  teepod_id: number;
  teepod_name: string;
  /** CVMs to purge, oldest first. */
  purge: number[];
  /** CVMs already being destroyed whose capacity is counted on. */
  purging: number[];
}

/**
 * Returns where purging deleted CVMs makes room: on the host that needs the fewest purges, oldest first, and
 * only as many as needed. Null if purging doesn't help.
 */
export function roomInBin(
  hosts: readonly Candidate[],
  { size, gpus = 0, region }: Wish,
  recycled: readonly RecycledCvm[],
): Room | null {
  const rooms = inRegion(hosts, { region }).flatMap((host) => {
    const room = fitsOtherwise(host, size, gpus) ? roomOn(host, size, recycled) : null;
    return room ? [room] : [];
  });
  const [best] = rooms.toSorted((a, b) => a.purge.length - b.purge.length || a.teepod_id - b.teepod_id);
  return best ?? null;
}

function roomOn(host: Candidate, size: Size, recycled: readonly RecycledCvm[]): Room | null {
  const there = recycled.filter(({ teepod_id }) => teepod_id === host.teepod_id);
  const purging = there.filter(({ is_purging }) => is_purging);
  const isEnough = (purge: readonly RecycledCvm[]) => {
    const freed = heldBy([...purging, ...purge]);
    return fits({ ...host, slots: host.slots + freed.slots, disk_gb: host.disk_gb + freed.disk_gb }, size);
  };
  const candidates = there
    .filter(({ is_purgeable }) => is_purgeable)
    .toSorted((a, b) => a.deleted_at.getTime() - b.deleted_at.getTime() || a.id - b.id);
  let chosen: RecycledCvm[] = [];
  for (const cvm of candidates) {
    if (isEnough(chosen)) break;
    chosen.push(cvm);
  }
  if (!isEnough(chosen)) return null;
  // A small disk chosen before a large one may be unnecessary.
  for (const cvm of chosen.toReversed()) {
    const rest = chosen.filter((one) => one !== cvm);
    if (isEnough(rest)) chosen = rest;
  }
  return {
    teepod_id: host.teepod_id,
    teepod_name: host.teepod_name,
    purge: chosen.map(({ id }) => id),
    purging: purging.map(({ id }) => id),
  };
}
