import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createPartCollector } from './partCollector';

/** Returns heap bytes in use after a garbage collection, since uncollected garbage varies by machine. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const MIB = 1024 * 1024;

it('returns the parts in order, whatever their size', () => {
  for (const size of [1, 3, 1000, 70_000]) {
    const body = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 251));
    const collector = createPartCollector();
    for (let at = 0; at < body.length; at += size) collector.add(body.subarray(at, at + size));
    expect(collector.whole().equals(body), String(size)).toBe(true);
  }
  expect(createPartCollector().whole()).toHaveLength(0);
});

it('takes little more memory for a body in single bytes than the body', () => {
  const packet = Buffer.alloc(MIB, 'x');
  const collector = createPartCollector();
  const before = liveBytes();
  for (let at = 0; at < packet.length; at++) collector.add(packet.subarray(at, at + 1));
  // One by one, they would take a hundred times as much.
  expect(liveBytes() - before).toBeLessThan(8 * MIB);
  expect(collector.whole().equals(packet)).toBe(true);
});
