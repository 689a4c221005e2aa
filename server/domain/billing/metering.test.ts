import { describe, expect, it } from 'vitest';
import { amountWithin, meter, usageByState, type Before, type StateChange } from './metering';
import { at, change, history, random } from './testing/stateChanges';

const NOVEMBER = { from: at('01T00:00:00'), to: new Date('2026-12-01T00:00:00Z') };

describe('metered usage', () => {
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
      ['running', 'size', 3570, 56_000],
      ['running', 'disk', 3570, 2_000],
      ['stopping', 'size', 30, 56_000],
      ['stopping', 'disk', 30, 2_000],
      ['stopped', 'disk', 7200, 2_000],
      ['starting', 'disk', 60, 2_000],
      ['running', 'size', 3600, 56_000],
      ['running', 'disk', 3600, 2_000],
      ['deleting', 'none', 10, 0],
      ['deleted', 'none', NOVEMBER.to.getTime() / 1000 - at('02T14:02:10').getTime() / 1000, 0],
    ]);
    // 2 hours at 58 000, and 2 hours and a minute at 2 000, to the micro-dollar.
    expect(amount_micros).toBe(Math.floor((7200 * 58_000 + 7260 * 2_000) / 3600));
  });
  it('bills the disk of a CVM in the recycle bin until it is destroyed, and also after a restoration', () => {
    const { lines } = meter(
      [
        change('creating', '01T00:00:00'),
        change('running', '01T01:00:00'),
        change('deleting', '01T02:00:00'),
        // Moved to the recycle bin, and restored an hour later.
        change('stopped', '01T02:00:10'),
        change('stopped', '01T03:00:10'),
        change('deleting', '01T04:00:00'),
        change('deleted', '01T04:00:10'),
      ],
      { from: at('01T00:00:00'), to: at('01T05:00:00') },
    );
    expect(
      lines.filter(({ basis }) => basis !== 'size').map((line) => [line.status, line.basis, line.seconds]),
    ).toEqual([
      ['creating', 'none', 3600],
      ['running', 'disk', 3600],
      ['deleting', 'none', 10],
      ['stopped', 'disk', 7190],
      ['deleting', 'none', 10],
      ['deleted', 'none', 3590],
    ]);
    const neverRan = [
      change('creating', '01T00:00:00'),
      change('deleting', '01T01:00:00'),
      change('stopped', '01T01:00:10'),
    ];
    expect(meter(neverRan, NOVEMBER).amount_micros).toBe(0);
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
      ['running', 'size', 3600, 56_000],
      ['running', 'disk', 3600, 2_000],
      ['lost', 'none', 3 * 3600, 0],
      ['running', 'size', 3600, 56_000],
      ['running', 'disk', 3600, 2_000],
      ['stopped', 'disk', 3600, 2_000],
      ['lost', 'none', 3600, 0],
      ['stopped', 'disk', 3600, 2_000],
      ['lost', 'none', 1800, 0],
      ['starting', 'disk', 600, 333],
      ['lost', 'none', 1200, 0],
    ]);
    expect(basis).toBe('paused');
  });
  it('resumes in a later window with a lost CVM’s earlier basis', () => {
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
      [1, 56_000],
      [1, 2_000],
      [4, 230_000],
      [4, 2_000],
    ]);
    expect(amount_micros).toBe(290_000);
  });
  it('has a separate line for the disk beside the size, even if only the disk grows', () => {
    const grown = { disk_gb: 50, hourly_rate_micros: 61_000, disk_rate_micros: 3_000 };
    const { lines, amount_micros } = meter(
      [
        change('running', '01T00:00:00'),
        change('running', '01T01:00:00', grown),
        change('stopped', '01T02:00:00', grown),
      ],
      { from: at('01T00:00:00'), to: at('01T03:00:00') },
    );
    expect(lines.map((line) => [line.basis, line.disk_gb, line.seconds, line.amount_micros])).toEqual([
      ['size', 0, 7200, 112_000],
      ['disk', 20, 3600, 2_000],
      ['disk', 50, 3600, 5_000],
      ['disk', 50, 3600, 5_000],
    ]);
    expect(amount_micros).toBe(58_000 + 61_000 + 5_000);
  });
  it('never charges more for the disk than the rate, and has no line without a disk', () => {
    const parts = (more: Partial<StateChange>) =>
      meter([change('running', '01T00:00:00', more)], {
        from: at('01T00:00:00'),
        to: at('01T01:00:00'),
      }).lines.map(({ basis, rate_micros }) => [basis, rate_micros]);
    // Deployed before larger disks had a price.
    expect(parts({ disk_gb: 1000 })).toEqual([
      ['size', 0],
      ['disk', 58_000],
    ]);
    expect(parts({ disk_gb: 0 })).toEqual([['size', 58_000]]);
  });
  it('never counts a second twice when a change is written late', () => {
    const { lines } = meter(
      [change('running', '01T00:00:00'), change('stopping', '01T00:10:00'), change('stopped', '01T00:09:00')],
      { from: at('01T00:00:00'), to: at('01T01:00:00') },
    );
    for (const track of ['size', 'disk']) {
      const own = lines.filter(({ basis }) => basis === track);
      expect(own.reduce((sum, line) => sum + line.seconds, 0)).toBe(track === 'disk' ? 3600 : 600);
    }
    expect([...new Set(lines.map(({ status }) => status))]).toEqual(['running', 'stopped']);
  });
});

it('bills the GPUs and the disk of a running CVM as separate lines, which add up to the rate', () => {
  const gpu = { hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000 };
  const { lines, amount_micros } = meter(
    [change('running', '01T00:00:00', gpu), change('stopped', '01T01:00:00', gpu)],
    { from: at('01T00:00:00'), to: at('01T02:00:00') },
  );
  expect(lines.map(({ basis, seconds, amount_micros }) => [basis, seconds, amount_micros])).toEqual([
    ['size', 3600, 698_000],
    ['disk', 3600, 2_000],
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
      const of = (...some: string[]) => all.filter(({ basis }) => some.includes(basis));
      // Nothing or the disk is billed at any time; size and GPUs only with the disk.
      const lines = of('none', 'disk');
      for (const line of of('size', 'gpu'))
        for (const none of of('none')) expect(none.from < line.to && line.from < none.to).toBe(false);
      for (const own of [of('size'), of('gpu')])
        own.slice(1).forEach((line, i) => expect(line.from >= own[i]!.to, `seed ${seed}`).toBe(true));
      expect(lines[0]?.from, `seed ${seed}`).toEqual(window.from);
      expect(lines.at(-1)?.to).toEqual(window.to);
      lines.forEach((line, i) => {
        if (i > 0) expect(line.from).toEqual(lines[i - 1]!.to);
      });
      all.forEach((line) => {
        expect(line.seconds * 1000).toBe(line.to.getTime() - line.from.getTime());
        expect(line.seconds).toBeGreaterThan(0);
        // Rate × seconds, except for the fraction carried from the previous line.
        expect(Math.abs(line.amount_micros - (line.rate_micros * line.seconds) / 3600)).toBeLessThan(
          1 + 1e-6 * line.seconds,
        );
      });
      expect(all.reduce((sum, line) => sum + line.amount_micros, 0)).toBe(amount_micros);
      expect(usageByState(all).reduce((sum, group) => sum + group.amount_micros, 0)).toBe(amount_micros);
      const exact = (some: typeof all) =>
        some.reduce((sum, line) => sum + BigInt(line.rate_micros) * BigInt(line.seconds), 0n);
      expect(BigInt(amount_micros)).toBe(
        exact(of('size')) / 3600n + exact(of('disk')) / 3600n + exact(of('gpu')) / 3600n,
      );
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
