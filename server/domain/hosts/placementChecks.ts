import { roomText } from '../../../console/lib/texts/roomText';
import type { AdminPlacementCheck } from '../../../generated/api/types.gen';
import { utcMinute } from '../core/dates';
import { canUseKms, isUsableImage } from './placement';
import {
  fits,
  fitsBy,
  hasGpusFree,
  isSpared,
  type Candidate,
  type Capacity,
  type Size,
  type Wish,
} from './scheduler';

/** Which of a host's conditions for new CVMs are met, apart from room. */
export interface HostConditions {
  teepod_state: 'online' | 'cordoned' | 'draining' | 'offline';
  node_state: 'online' | 'maintenance' | 'offline';
  teepod_online: boolean;
  node_online: boolean;
  reachable: boolean;
  outside_window: boolean;
  open_to_team: boolean;
}

/** Returns why the host accepts no new CVMs, to follow "because"; null if it does. */
export function whyClosed(met: HostConditions): string | null {
  if (!met.teepod_online) return `it is ${met.teepod_state}`;
  if (!met.node_online)
    return met.node_state === 'maintenance' ? 'its machine is in maintenance' : 'its machine is offline';
  if (!met.outside_window) return 'its machine is in a maintenance window';
  return met.reachable ? null : "it isn't responding";
}

interface Judged {
  met: HostConditions;
  /** Including what is held for others. */
  host: Candidate & Parameters<typeof canUseKms>[0];
  /** What is left beside that. */
  beside: Candidate;
  /** What members of other teams were offered. */
  held: (Size & { gpus: number; until: Date }) | undefined;
  /** Active key services. */
  services: readonly Parameters<typeof canUseKms>[1][];
  /** Images on the host. */
  images: readonly Parameters<typeof isUsableImage>[0][];
  wish: Pick<Wish, 'size' | 'gpus'>;
}

type Check = Omit<AdminPlacementCheck, 'state'>;

const RESOURCES: readonly { name: Check['name']; field: keyof Capacity; title: string; unit: string }[] = [
  { name: 'slots', field: 'slots', title: 'CVM slots', unit: '' },
  { name: 'vcpu', field: 'vcpu', title: 'vCPU', unit: '' },
  { name: 'memory', field: 'memory_mb', title: 'Memory', unit: ' MB' },
  { name: 'disk', field: 'disk_gb', title: 'Disk', unit: ' GB' },
];

/** Checks each condition of placement for a CVM of this size on this host, by the rules that deployments follow. */
export function placementChecks(judged: Judged): AdminPlacementCheck[] {
  const { met, host, services, images, wish } = judged;
  const { size, gpus = 0 } = wish;
  const closed = whyClosed(met);
  const needed = { slots: 1, ...size };
  return [
    checked(closed === null, {
      name: 'open',
      title: 'Accepts CVMs',
      found: closed === null ? 'It accepts new CVMs.' : `It isn't accepting new CVMs because ${closed}.`,
      advice: adviceFor(met),
    }),
    checked(met.open_to_team, {
      name: 'team',
      title: 'Team',
      found: met.open_to_team ? 'The team can deploy here.' : "The team isn't allowed to deploy here.",
      advice: 'Add it on the Teams page of this teepod.',
    }),
    keyService(host, services),
    imageCheck(images, gpus > 0),
    ...RESOURCES.map(({ name, field, title, unit }) =>
      checked(fitsBy[field](host, size), {
        name,
        title,
        found: `${needed[field]}${unit} needed, ${host[field]}${unit} free.`,
        advice: 'Choose a smaller size, raise the limit of the teepod, or free capacity on it.',
      }),
    ),
    gpuCheck(host, wish),
    heldCheck(judged),
  ];
}

function heldCheck({ host, beside, held, wish }: Judged): AdminPlacementCheck {
  const hasRoom = (on: Candidate) => fits(on, wish.size) && hasGpusFree(on, wish);
  const check = checked(!hasRoom(host) || hasRoom(beside), {
    name: 'held',
    title: 'Offers to other teams',
    found: held
      ? `Offered to members of other teams on the waitlist and held until ${utcMinute(held.until)}: ${roomText(held)}.`
      : 'Nothing is held for other teams.',
    advice: 'Wait until they deploy or the hold expires.',
  });
  return held && check.state === 'passed' ? { ...check, state: 'warning' } : check;
}

const checked = (isMet: boolean, { advice, ...check }: Check): AdminPlacementCheck => ({
  ...check,
  state: isMet ? 'passed' : 'failed',
  advice: isMet ? null : advice,
});

function imageCheck(images: Judged['images'], with_gpu: boolean): AdminPlacementCheck {
  const kind = with_gpu ? 'with GPUs' : 'without GPUs';
  const isMet = images.some((image) => isUsableImage(image, {}, with_gpu));
  const names = images.slice(0, 10).map(({ name }) => name);
  return checked(isMet, {
    name: 'image',
    title: 'OS image',
    found: isMet
      ? `It has an OS image for CVMs ${kind}.`
      : images.length === 0
        ? 'It has no OS image.'
        : `None of its OS images can be used for CVMs ${kind}: ${names.join(', ')}${images.length > 10 ? ', …' : ''}.`,
    advice: 'Add one on the OS images page of this teepod.',
  });
}

function adviceFor(met: HostConditions): string {
  if (!met.teepod_online)
    return met.teepod_state === 'draining'
      ? 'Wait for its drain to end or cancel it, then uncordon it.'
      : met.teepod_state === 'cordoned'
        ? 'Uncordon it.'
        : 'Set its state to online.';
  if (!met.node_online) return 'Set the state of its node to online.';
  return met.outside_window ? 'Check the host.' : 'Wait for the maintenance window to end, or end it.';
}

function keyService(host: Judged['host'], services: Judged['services']): AdminPlacementCheck {
  const usable = services.filter((kms) => canUseKms(host, kms));
  const isUsed = services.some((kms) => host.kms_ids.includes(kms.id));
  return checked(usable.length > 0, {
    name: 'kms',
    title: 'Key service',
    found:
      usable.length > 0
        ? 'Its key service can be used.'
        : isUsed
          ? 'Its key service has a contract, which allows machines by device ID, but its node has no device ID.'
          : 'It has no active key service.',
    advice: isUsed ? 'Enter the device ID of its node.' : 'Choose an active key service for this teepod.',
  });
}

function gpuCheck(host: Candidate, wish: Judged['wish']): AdminPlacementCheck {
  const free = `${wish.gpus ?? 0} needed, ${host.gpus} free for the team.`;
  const check = checked(hasGpusFree(host, wish), {
    name: 'gpus',
    title: 'GPUs',
    found: free,
    advice: 'Free GPUs of this host, or reserve some for the team.',
  });
  return isSpared(host, wish)
    ? {
        ...check,
        state: 'warning',
        found: `${free} A CVM without GPUs is placed here only if no host without GPUs has room.`,
      }
    : check;
}
