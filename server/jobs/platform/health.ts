import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { RolloutContainer } from '../../db/apps/rolloutItemsTable';
import type { GuestWords } from '../../domain/attestation/guestEvidence';
import type { RolloutEvidence } from '../../domain/apps/rolloutEvidence';
import { VmmError, type GuestContainer, type VmmDriver } from '../../drivers/vmm';
import { ownValue } from '../../../console/lib/ownValue';

const ANSWER_MS = 3_000;

export interface Health {
  well: boolean;
  /** Why it is not healthy yet, or that it is healthy. */
  message: string;
  containers: RolloutContainer[];
  evidence: RolloutEvidence | null;
  /** Upper bound in seconds on the uptime of the running container that started last; null when unknown. */
  up_seconds: number | null;
  /** The source of its evidence; null when the guest does not respond. */
  guest: GuestWords | null;
}

export interface Expected {
  compose_hash: string;
  /** Services in the compose file. */
  services: number;
  /** On a local teepod, none of it is evidence. */
  local: boolean;
}

/**
 * Checks a CVM once: does it report the right compose hash, and are its containers up? None of this is
 * attested; see `evidenceVerdict`. An unreachable host counts as an unresponsive guest.
 */
export async function lookAt(
  open: () => VmmDriver,
  vm_id: string,
  expected: Expected,
  signal: AbortSignal,
): Promise<Health> {
  const within = { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) };
  try {
    const driver = open();
    const [info, containers] = await Promise.all([
      driver.guest.info(vm_id, within),
      driver.guest.listContainers(vm_id, within),
    ]);
    return { ...judge(containers, evidenceOf(info.tcb_info, expected), expected), guest: info };
  } catch (error) {
    const silent = error instanceof VmmError || (error instanceof DOMException && !signal.aborted);
    if (!silent) throw error;
    return {
      well: false,
      message: 'The guest isn’t responding.',
      containers: [],
      evidence: null,
      up_seconds: null,
      guest: null,
    };
  }
}

export function judge(
  containers: readonly GuestContainer[],
  evidence: RolloutEvidence,
  expected: Pick<Expected, 'services'>,
): Omit<Health, 'guest'> {
  const shown = containers.slice(0, 100).map(({ names, state, status, id }) => ({
    name: cutWhole((names[0] ?? id).replace(/^\//, ''), 256),
    state: cutWhole(state, 32),
    status: cutWhole(status, 200),
  }));
  const complaint =
    (evidence.matches === false
      ? `The guest runs compose hash ${short(evidence.compose_hash)} instead of ${short(evidence.expected)}.`
      : null) ??
    (shown.length === 0 && expected.services > 0 ? 'No container has started yet.' : null) ??
    shown.map(complaintOf).find((text) => text !== null) ??
    null;
  const ups = shown
    .filter(({ state }) => state === 'running')
    .map(({ status }) => upSeconds(status))
    .filter((seconds) => seconds !== null);
  return {
    well: complaint === null,
    message: complaint ?? 'All containers are up.',
    containers: shown,
    evidence,
    up_seconds: ups.length > 0 ? Math.min(...ups) : null,
  };
}

const short = (hash: string | null) => (hash ?? 'none').slice(0, 12);

/** A container that finished and exited is fine; one that restarts or is unhealthy is not. */
function complaintOf({ name, state, status }: RolloutContainer): string | null {
  if (state === 'running') {
    if (/\(unhealthy\)/i.test(status)) return `${name} is unhealthy (${status}).`;
    if (/\(health: starting\)/i.test(status)) return `${name} hasn’t passed its health check yet.`;
    return null;
  }
  if (state === 'exited' && /^exited \(0\)/i.test(status)) return null;
  return `${name} is ${state}${status ? ` (${status})` : ''}.`;
}

const UNITS: Record<string, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

/**
 * Returns the longest uptime that "Up 4 seconds", "Up About a minute (healthy)" or "Up 3 days" may stand for:
 * Docker counts whole units, and rounds from hours on. Null for other texts.
 */
export function upSeconds(status: string): number | null {
  if (/^up less than a second/i.test(status)) return 0;
  const [, count, unit] =
    /^up (\d+|about an?|an?) (second|minute|hour|day|week|month|year)s?\b/i.exec(status) ?? [];
  if (count === undefined || unit === undefined) return null;
  const seconds = ownValue(UNITS, unit.toLowerCase()) ?? 1;
  const whole = /^\d/.test(count) ? Number(count) : 1;
  return (seconds === 1 ? whole : whole + 1) * seconds;
}

/** Empty if the owner doesn't publish it. Then nothing is known, which isn't a failure. */
function evidenceOf(tcb_info: string, { compose_hash: expected, local }: Expected): RolloutEvidence {
  const compose_hash = hashOf(tcb_info);
  return {
    compose_hash,
    expected,
    matches: compose_hash === null ? null : compose_hash === expected,
    trust: local ? 'simulated' : 'unknown',
  };
}

function hashOf(tcb_info: string): string | null {
  try {
    const { compose_hash } = JSON.parse(tcb_info) as { compose_hash?: unknown };
    return typeof compose_hash === 'string' && /^[0-9a-f]{64}$/i.test(compose_hash)
      ? compose_hash.toLowerCase()
      : null;
  } catch {
    return null;
  }
}
