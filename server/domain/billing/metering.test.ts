import { describe, expect, it } from 'vitest';
import { amountWithin, meter, rateOf, usageByState, type Before, type StateChange } from './metering';

const at = (text: string) => new Date(`2026-11-${text}Z`);
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
const change = (status: string, time: string, more: Partial<StateChange> = {}): StateChange => ({
  ...size,
  status,
  at: at(time),
  ...more,
});
const NOVEMBER = { from: at('01T00:00:00'), to: new Date('2026-12-01T00:00:00Z') };

describe('what is metered', () => {
  it('starts with the first running second; a stopped CVM pays for its disk', () => {
    const { lines, amount_micros } = meter(
      [
        change('creating', '02T10:00:00'),
        change('running', '02T10:01:00'),
        change('stopping', '02T11:00:30'),
        change('stopped', '02T11:01:00'),
        change('starting', '02T13:01:00'),
        change('running', '02T13:02:00'),
        change('deleting', '02T14:02:00'),
        change('deleted', '02T14:02:10'),
      ],
      NOVEMBER,
    );
    expect(lines.map((line) => [line.status, line.basis, line.seconds, line.rate_micros])).toEqual([
      ['creating', 'none', 60, 0],
      ['running', 'size', 3570, 58_000],
      ['stopping', 'size', 30, 58_000],
      ['stopped', 'disk', 7200, 2_000],
      ['starting', 'disk', 60, 2_000],
      ['running', 'size', 3600, 58_000],
      ['deleting', 'none', 10, 0],
      ['deleted', 'none', NOVEMBER.to.getTime() / 1000 - at('02T14:02:10').getTime() / 1000, 0],
    ]);
    // 2 hours of 58 000 and 2 hours and a minute of 2 000, to the micro-dollar.
    expect(amount_micros).toBe(Math.floor((7200 * 58_000 + 7260 * 2_000) / 3600));
  });
  it('costs nothing when it never ran', () => {
    const failed = [change('creating', '02T10:00:00'), change('error', '02T10:05:00')];
    expect(meter(failed, NOVEMBER).amount_micros).toBe(0);
  });
  it('keeps charging a stopped CVM for its disk during an update', () => {
    const { lines } = meter(
      [change('stopped', '01T00:00:00'), change('updating', '01T01:00:00'), change('stopped', '01T01:01:00')],
      { from: at('01T00:00:00'), to: at('01T02:00:00') },
      { basis: 'disk' },
    );
    expect(lines.map(({ basis }) => basis)).toEqual(['disk', 'disk', 'disk']);
  });
  it('bills nothing while a CVM is lost, and its size or disk again once it is found', () => {
    const { lines, basis } = meter(
      [
        change('creating', '01T00:00:00'),
        change('running', '01T01:00:00'),
        change('lost', '01T02:00:00'),
        change('running', '01T05:00:00'),
        change('stopped', '01T06:00:00'),
        change('lost', '01T07:00:00'),
        change('stopped', '01T08:00:00'),
        change('lost', '01T09:00:00'),
        change('starting', '01T09:30:00'),
        change('lost', '01T09:40:00'),
      ],
      { from: at('01T00:00:00'), to: at('01T10:00:00') },
    );
    expect(lines.map((line) => [line.status, line.basis, line.seconds, line.amount_micros])).toEqual([
      ['creating', 'none', 3600, 0],
      ['running', 'size', 3600, 58_000],
      ['lost', 'none', 3 * 3600, 0],
      ['running', 'size', 3600, 58_000],
      ['stopped', 'disk', 3600, 2_000],
      ['lost', 'none', 3600, 0],
      ['stopped', 'disk', 3600, 2_000],
      ['lost', 'none', 1800, 0],
      ['starting', 'disk', 600, 333],
      ['lost', 'none', 1200, 0],
    ]);
    expect(basis).toBe('paused');
  });
  it('resumes in a later window with what a lost CVM paid for before', () => {
    const { lines } = meter(
      [change('lost', '01T00:00:00'), change('stopped', '01T01:00:00')],
      { from: at('01T00:30:00'), to: at('01T02:00:00') },
      { basis: 'paused' },
    );
    expect(lines.map(({ basis, seconds }) => [basis, seconds])).toEqual([
      ['none', 1800],
      ['disk', 3600],
    ]);
  });
  it('changes the rate at the second of a resize', () => {
    const large = { vcpu: 4, memory_mb: 8192, hourly_rate_micros: 232_000 };
    const { lines, amount_micros } = meter(
      [
        change('running', '01T00:00:00'),
        change('resizing', '01T01:00:00', large),
        change('running', '01T01:00:00', large),
      ],
      { from: at('01T00:00:00'), to: at('01T02:00:00') },
    );
    expect(lines.map(({ vcpu, amount_micros }) => [vcpu, amount_micros])).toEqual([
      [1, 58_000],
      [4, 232_000],
    ]);
    expect(amount_micros).toBe(290_000);
  });
  it('never counts a second twice when a change is written late', () => {
    const { lines } = meter(
      [change('running', '01T00:00:00'), change('stopping', '01T00:10:00'), change('stopped', '01T00:09:00')],
      { from: at('01T00:00:00'), to: at('01T01:00:00') },
    );
    expect(lines.reduce((sum, line) => sum + line.seconds, 0)).toBe(3600);
    expect(lines.map(({ status }) => status)).toEqual(['running', 'stopped']);
  });
});

/** A small seeded generator, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function history(below: (n: number) => number): StateChange[] {
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
    changes.push({
      status: states[below(states.length)]!,
      vcpu: 1 + below(8),
      memory_mb: 1024 * (1 + below(16)),
      disk_gb: 1 + below(200),
      hourly_rate_micros: 300_000 + below(200_000),
      gpu_rate_micros: below(3) === 0 ? below(200_000) : 0,
      disk_rate_micros: below(3) === 0 ? below(90_000) : 0,
      ...coverage(below, time),
      // Occasionally earlier than the one before it.
      at: new Date(below(10) === 0 ? time - below(5_000) : time),
    });
  }
  return changes;
}

/** A third of the changes are covered by an order, some only for a part of the time until the next. */
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

describe('what an order covers', () => {
  const GPU = { hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000 };
  const until = (time: string, covers: 'cvm' | 'gpus' | 'all' = 'cvm') =>
    ({ order_id: 7, covers, covered_until: at(time) }) as const;
  const hours = (from: string, to: string) => ({ from: at(from), to: at(to) });

  it('costs nothing until the order ends, to the second, running or stopped', () => {
    const covered = until('01T02:30:00');
    const { lines, amount_micros } = meter(
      [change('running', '01T00:00:00', covered), change('stopped', '01T02:00:00', covered)],
      hours('01T00:00:00', '01T03:00:00'),
    );
    expect(lines.map((line) => [line.basis, line.seconds, line.rate_micros, line.order_id])).toEqual([
      ['size', 7200, 0, 7],
      ['disk', 1800, 0, 7],
      ['disk', 1800, 2_000, null],
    ]);
    expect(amount_micros).toBe(1_000);
  });

  it('is only the GPUs, if that is what was ordered', () => {
    const { lines, amount_micros } = meter(
      [
        change('running', '01T00:00:00', { ...GPU, ...until('01T01:00:00', 'gpus') }),
        change('stopped', '01T02:00:00', { ...GPU, ...until('01T09:00:00', 'gpus') }),
      ],
      hours('01T00:00:00', '01T03:00:00'),
    );
    expect(lines.map((line) => [line.basis, line.seconds, line.rate_micros, line.order_id])).toEqual([
      ['size', 7200, 700_000, null],
      ['gpu', 3600, 0, 7],
      ['gpu', 3600, 2_800_000, null],
      ['disk', 3600, 2_000, null],
    ]);
    expect(amount_micros).toBe(2 * 700_000 + 2_800_000 + 2_000);
  });

  it('is not disk above what the size includes, running or stopped', () => {
    const grown = { disk_gb: 50, hourly_rate_micros: 61_000, disk_rate_micros: 3_000 };
    const covered = { ...grown, ...until('01T02:30:00') };
    const { lines, amount_micros } = meter(
      [change('running', '01T00:00:00', covered), change('stopped', '01T02:00:00', covered)],
      hours('01T00:00:00', '01T03:00:00'),
    );
    expect(lines.map((line) => [line.basis, line.seconds, line.rate_micros, line.order_id])).toEqual([
      ['size', 7200, 3_000, 7],
      ['disk', 1800, 3_000, 7],
      ['disk', 1800, 5_000, null],
    ]);
    expect(amount_micros).toBe(6_000 + 1_500 + 2_500);
    // Orders made before disk had a price cover it, too.
    const all = { ...grown, ...until('01T02:30:00', 'all') };
    const older = meter([change('running', '01T00:00:00', all)], hours('01T00:00:00', '01T03:00:00'));
    expect(older.lines.map(({ rate_micros }) => rate_micros)).toEqual([0, 61_000]);
  });

  it('is charged again as soon as it is taken away, and a renewal leaves no gap', () => {
    const { lines } = meter(
      [
        change('running', '01T00:00:00', until('01T03:00:00')),
        // Renewed, then canceled.
        change('running', '01T02:00:00', until('01T06:00:00')),
        change('running', '01T04:00:00'),
      ],
      hours('01T00:00:00', '01T05:00:00'),
    );
    expect(lines.map((line) => [line.seconds, line.rate_micros, line.order_id])).toEqual([
      [4 * 3600, 0, 7],
      [3600, 58_000, null],
    ]);
  });

  it('has a rate of zero at a moment until then', () => {
    const gpus = change('running', '01T00:00:00', { ...GPU, ...until('01T01:00:00', 'gpus') });
    expect(rateOf('size', gpus, at('01T00:59:59'))).toBe(700_000);
    expect(rateOf('size', gpus, at('01T01:00:00'))).toBe(3_500_000);
    expect(rateOf('disk', change('stopped', '01T00:00:00', until('01T01:00:00')), at('01T00:30:00'))).toBe(0);
  });

  it('covers the same seconds however the time is cut, for any history', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const changes = history(random(seed));
      const window = { from: at('01T00:00:00'), to: new Date(at('01T00:00:00').getTime() + 3_000_000) };
      const { lines } = meter(changes, window);
      const usual = meter(
        changes.map((one) => ({ ...one, order_id: null, covers: null, covered_until: null })),
        window,
      ).lines;
      for (const line of lines) {
        if (line.order_id === null) continue;
        const rates = changes.map(({ disk_rate_micros }) => disk_rate_micros);
        expect([0, line.disk_gb * 100, ...rates], `seed ${seed}`).toContain(line.rate_micros);
        if (line.basis === 'gpu') expect(line.rate_micros, `seed ${seed}`).toBe(0);
      }
      const included = changes.map((one) => ({ ...one, disk_rate_micros: 0 }));
      for (const line of meter(included, window).lines)
        if (line.order_id !== null)
          expect([line.rate_micros, line.amount_micros], `seed ${seed}`).toEqual([0, 0]);
      // Everything else costs what it would without orders.
      const rateAt = (all: typeof lines, gpu: boolean, second: number) =>
        all.find(
          ({ basis, from, to }) =>
            (basis === 'gpu') === gpu && from.getTime() <= second * 1000 && second * 1000 < to.getTime(),
        );
      for (const gpu of [false, true])
        for (let second = window.from.getTime() / 1000; second * 1000 < window.to.getTime(); second += 97) {
          const [found, full] = [rateAt(lines, gpu, second), rateAt(usual, gpu, second)];
          expect(found?.basis, `seed ${seed}`).toBe(full?.basis);
          if (found && found.order_id === null) expect(found.rate_micros).toBe(full?.rate_micros);
        }
    }
  });
});

it('bills the GPUs of a running CVM as a line of their own, which adds up to the rate', () => {
  const gpu = { hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000 };
  const { lines, amount_micros } = meter(
    [change('running', '01T00:00:00', gpu), change('stopped', '01T01:00:00', gpu)],
    { from: at('01T00:00:00'), to: at('01T02:00:00') },
  );
  expect(lines.map(({ basis, seconds, amount_micros }) => [basis, seconds, amount_micros])).toEqual([
    ['size', 3600, 700_000],
    ['gpu', 3600, 2_800_000],
    ['disk', 3600, 2_000],
  ]);
  expect(amount_micros).toBe(3_502_000);
});

describe('for any history', () => {
  const seeds = Array.from({ length: 300 }, (_, i) => i + 1);

  it('lines are contiguous and add up to the total', () => {
    for (const seed of seeds) {
      const below = random(seed);
      const changes = history(below);
      const window = { from: at('01T00:00:00'), to: new Date(at('01T00:00:00').getTime() + 3_000_000) };
      const { lines: all, amount_micros } = meter(changes, window);
      const lines = all.filter(({ basis }) => basis !== 'gpu');
      const gpus = all.filter(({ basis }) => basis === 'gpu');
      // A GPU costs something only while the CVM pays for its size.
      for (const gpu of gpus)
        for (const line of lines)
          if (line.from < gpu.to && gpu.from < line.to) expect(line.basis).toBe('size');
      expect(lines[0]?.from, `seed ${seed}`).toEqual(window.from);
      expect(lines.at(-1)?.to).toEqual(window.to);
      lines.forEach((line, i) => {
        expect(line.seconds * 1000).toBe(line.to.getTime() - line.from.getTime());
        expect(line.seconds).toBeGreaterThan(0);
        if (i > 0) expect(line.from).toEqual(lines[i - 1]!.to);
        // Rate × seconds, except for the fraction carried from the previous line.
        expect(Math.abs(line.amount_micros - (line.rate_micros * line.seconds) / 3600)).toBeLessThan(
          1 + 1e-6 * line.seconds,
        );
      });
      expect(all.reduce((sum, line) => sum + line.amount_micros, 0)).toBe(amount_micros);
      expect(usageByState(all).reduce((sum, group) => sum + group.amount_micros, 0)).toBe(amount_micros);
      const exact = (some: typeof all) =>
        some.reduce((sum, line) => sum + BigInt(line.rate_micros) * BigInt(line.seconds), 0n);
      expect(BigInt(amount_micros)).toBe(exact(lines) / 3600n + exact(gpus) / 3600n);
    }
  });

  it('adjacent windows add up to the window they form, to the micro-dollar', () => {
    for (const seed of seeds) {
      const below = random(seed);
      const changes = history(below);
      const [start, length] = [at('01T00:00:00').getTime(), 3_000_000];
      const cuts = [
        0,
        ...Array.from({ length: below(6) }, () => below(length)).sort((a, b) => a - b),
        length,
      ];
      let [sum, seconds] = [0, 0];
      let before: Before = {};
      for (let i = 1; i < cuts.length; i++) {
        const part = meter(
          changes,
          { from: new Date(start + cuts[i - 1]!), to: new Date(start + cuts[i]!) },
          before,
        );
        sum += part.amount_micros;
        seconds += part.lines.reduce((all, line) => all + line.seconds, 0);
        before = part;
      }
      const whole = meter(changes, { from: new Date(start), to: new Date(start + length) });
      expect([sum, seconds, before.carry], `seed ${seed}`).toEqual([
        whole.amount_micros,
        whole.lines.reduce((all, line) => all + line.seconds, 0),
        whole.carry,
      ]);
    }
  });

  it('parts of a line add up to the line', () => {
    for (const seed of seeds) {
      const below = random(seed);
      const from = at('01T00:00:00');
      const to = new Date(from.getTime() + 3_000_000);
      for (const line of meter(history(below), { from, to }).lines) {
        const cut = new Date(line.from.getTime() + below(line.seconds + 1) * 1000);
        const parts = [
          amountWithin(line, { from: new Date(0), to: cut }),
          amountWithin(line, { from: cut, to: new Date(to.getTime() + 1) }),
        ];
        expect(parts[0]! + parts[1]!, `seed ${seed}`).toBe(line.amount_micros);
      }
    }
  });
});
