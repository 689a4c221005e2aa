import type { RolloutContainer, RolloutEvidence } from '../db/schemaRollouts';
import { VmmError, type GuestContainer, type VmmDriver } from '../drivers/vmm';

const ANSWER_MS = 3_000;

export interface Health {
  well: boolean;
  /** What is not well (yet), or that it is. */
  message: string;
  containers: RolloutContainer[];
  evidence: RolloutEvidence | null;
  /** The running container that started last did so at most this long ago, in seconds; null when none says. */
  up_seconds: number | null;
}

export interface Expected {
  compose_hash: string;
  /** Of the compose file. */
  services: number;
  /** On a local teepod nothing of it is evidence. */
  local: boolean;
}

/**
 * Looks at a CVM once: does it run what it should, and are its containers up? Nothing of this is attested. A host that
 * cannot even be asked is one that does not answer.
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
    return judge(containers, evidenceOf(info.tcb_info, expected), expected);
  } catch (error) {
    const silent = error instanceof VmmError || (error instanceof DOMException && !signal.aborted);
    if (!silent) throw error;
    return {
      well: false,
      message: 'The guest does not answer.',
      containers: [],
      evidence: null,
      up_seconds: null,
    };
  }
}

export function judge(
  containers: readonly GuestContainer[],
  evidence: RolloutEvidence,
  expected: Pick<Expected, 'services'>,
): Health {
  const shown = containers.slice(0, 100).map(({ names, state, status, id }) => ({
    name: (names[0] ?? id).replace(/^\//, '').slice(0, 256),
    state: state.slice(0, 32),
    status: status.slice(0, 200),
  }));
  const complaint =
    (evidence.matches === false
      ? `The guest runs compose hash ${short(evidence.compose_hash)} instead of ${short(evidence.expected)}.`
      : null) ??
    (shown.length === 0 && expected.services > 0 ? 'There is no container yet.' : null) ??
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

/** A container that has done its work and gone is no trouble; one that is restarted, or ill, is. */
function complaintOf({ name, state, status }: RolloutContainer): string | null {
  if (state === 'running') {
    if (/\(unhealthy\)/i.test(status)) return `${name} says it is unhealthy (${status}).`;
    if (/\(health: starting\)/i.test(status)) return `${name} has not passed its health check yet.`;
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
 * The longest time that "Up 4 seconds", "Up About a minute (healthy)" or "Up 3 days" may stand for: Docker counts whole
 * units, and rounds from hours on. Null for other texts.
 */
export function upSeconds(status: string): number | null {
  if (/^up less than a second/i.test(status)) return 0;
  const [, count, unit] =
    /^up (\d+|about an?|an?) (second|minute|hour|day|week|month|year)s?\b/i.exec(status) ?? [];
  if (count === undefined || unit === undefined) return null;
  const seconds = UNITS[unit.toLowerCase()] ?? 1;
  const whole = /^\d/.test(count) ? Number(count) : 1;
  return (seconds === 1 ? whole : whole + 1) * seconds;
}

/** Empty where the owner does not publish it: then nothing is known, which is no failure. */
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
