import { expect, it } from 'vitest';
import { CpuClock } from './usage';

it('CPU time never decreases when a container is recreated, restarts or exits', () => {
  const clock = new CpuClock();
  const at = (...containers: [string, number | undefined][]) =>
    clock.advance(
      'vm',
      containers.map(([id, cpu_us]) => ({ id, cpu_us })),
    );
  expect(at(['a', 100])).toBe(100);
  expect(at(['a', 150], ['b', 10])).toBe(160);
  // `a` was replaced by `c`, and `b` restarted.
  expect(at(['b', 4], ['c', 30])).toBe(194);
  expect(at(['b', undefined], ['c', 31])).toBe(195);
  expect(at(['b', 6], ['c', 31])).toBe(197);
  expect(at()).toBe(197);
});
