import { describe, expect, it } from 'vitest';
import { meter, rateOf, trackOf, TRACKS } from './metering';
import { at, change, history, random } from './testing/stateChanges';

describe('what an order covers', () => {
  const GPU = { hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000 };
  const until = (time: string, covers: 'cvm' | 'gpus' | 'all' = 'cvm') =>
    ({ order_id: 7, covers, covered_until: at(time) }) as const;
  const hours = (from: string, to: string) => ({ from: at(from), to: at(to) });

  it('is free until the order ends, to the second, running or stopped', () => {
    const covered = until('01T02:30:00');
    const { lines, amount_micros } = meter(
      [change('running', '01T00:00:00', covered), change('stopped', '01T02:00:00', covered)],
      hours('01T00:00:00', '01T03:00:00'),
    );
    expect(lines.map((line) => [line.basis, line.seconds, line.rate_micros, line.order_id])).toEqual([
      ['size', 7200, 0, 7],
      ['disk', 7200, 0, 7],
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
      ['size', 7200, 698_000, null],
      ['disk', 7200, 2_000, null],
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
      ['size', 7200, 0, 7],
      ['disk', 7200, 3_000, 7],
      ['disk', 1800, 3_000, 7],
      ['disk', 1800, 5_000, null],
    ]);
    expect(amount_micros).toBe(6_000 + 1_500 + 2_500);
    // Orders made before disk had a price cover it, too.
    const all = { ...grown, ...until('01T02:30:00', 'all') };
    const older = meter([change('running', '01T00:00:00', all)], hours('01T00:00:00', '01T03:00:00'));
    expect(older.lines.map(({ rate_micros }) => rate_micros)).toEqual([0, 0, 56_000, 5_000]);
  });

  it('is charged again as soon as the order is taken away, and a renewal leaves no gap', () => {
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
      [4 * 3600, 0, 7],
      [3600, 56_000, null],
      [3600, 2_000, null],
    ]);
  });

  it('has a rate of zero at a moment until then', () => {
    const gpus = change('running', '01T00:00:00', { ...GPU, ...until('01T01:00:00', 'gpus') });
    expect(rateOf('size', gpus, at('01T00:59:59'))).toBe(700_000);
    expect(rateOf('size', gpus, at('01T01:00:00'))).toBe(3_500_000);
    expect(rateOf('disk', change('stopped', '01T00:00:00', until('01T01:00:00')), at('01T00:30:00'))).toBe(0);
  });

  it('covers the same seconds no matter how the time is divided, for any history', () => {
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
        if (line.basis !== 'disk') expect(line.rate_micros, `seed ${seed}`).toBe(0);
      }
      const included = changes.map((one) => ({ ...one, disk_rate_micros: 0 }));
      for (const line of meter(included, window).lines)
        if (line.order_id !== null)
          expect([line.rate_micros, line.amount_micros], `seed ${seed}`).toEqual([0, 0]);
      // Everything else costs the same as without orders.
      const rateAt = (all: typeof lines, track: string, second: number) =>
        all.find(
          ({ basis, from, to }) =>
            trackOf(basis) === track && from.getTime() <= second * 1000 && second * 1000 < to.getTime(),
        );
      for (const track of TRACKS)
        for (let second = window.from.getTime() / 1000; second * 1000 < window.to.getTime(); second += 97) {
          const [found, full] = [rateAt(lines, track, second), rateAt(usual, track, second)];
          expect(found?.basis, `seed ${seed}`).toBe(full?.basis);
          if (found && found.order_id === null) expect(found.rate_micros).toBe(full?.rate_micros);
        }
    }
  });
});
