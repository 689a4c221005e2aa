import type { StateChange } from '../metering';

/** A time in November 2026, such as `02T10:00:00`. */
export const at = (text: string) => new Date(`2026-11-${text}Z`);
const size = {
  vcpu: 1,
  memory_mb: 2048,
  disk_gb: 20,
  hourly_rate_micros: 58_000,
  gpu_rate_micros: 0,
  disk_rate_micros: 0,
  order_id: null,
  covers: null,
  covered_until: null,
};
/** A change of a small CVM. */
export const change = (status: string, time: string, more: Partial<StateChange> = {}): StateChange => ({
  ...size,
  status,
  at: at(time),
  ...more,
});

/** A small seeded generator, so that a failure can be reproduced. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Up to 40 changes within some days. */
export function history(below: (n: number) => number): StateChange[] {
  const states = [
    'running',
    'stopping',
    'stopped',
    'starting',
    'updating',
    'resizing',
    'error',
    'restarting',
    'lost',
  ];
  let time = at('01T00:00:00').getTime();
  const changes = [change('creating', '01T00:00:00')];
  for (let i = below(40); i > 0; i--) {
    time += below(50_000);
    // Sizes overlap: rate and disk change independently.
    const disk_gb = 1 + below(200);
    changes.push({
      status: states[below(states.length)]!,
      vcpu: 1 + below(8),
      memory_mb: 1024 * (1 + below(16)),
      disk_gb,
      hourly_rate_micros: 300_000 + below(200_000),
      gpu_rate_micros: below(3) === 0 ? below(200_000) : 0,
      disk_rate_micros: below(3) === 0 ? below(disk_gb * 100) : 0,
      ...coverage(below, time),
      // Occasionally earlier than the one before it.
      at: new Date(below(10) === 0 ? time - below(5_000) : time),
    });
  }
  return changes;
}

/** A third of the changes are covered by an order, some only for part of the time until the next. */
function coverage(
  below: (n: number) => number,
  time: number,
): Pick<StateChange, 'order_id' | 'covers' | 'covered_until'> {
  if (below(3) > 0) return { order_id: null, covers: null, covered_until: null };
  return {
    order_id: 1 + below(3),
    covers: (['cvm', 'gpus', 'all'] as const)[below(3)] ?? 'cvm',
    covered_until: new Date(time + below(600_000) - 20_000),
  };
}
