import { describe, expect, it } from 'vitest';
import { analyzeCompose } from './composeFile';
import { distinctPorts, PortClaims, type PortRange } from './portRanges';

/** Repeatable random numbers below `n` (mulberry32). */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const someRanges = (seed: number): PortRange[] => {
  const below = random(seed);
  return Array.from({ length: 1 + below(12) }, () => {
    const first = 1 + below(60);
    return { first, last: first + below(12) };
  });
};
const expand = ({ first, last }: PortRange) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('port ranges', () => {
  it('conflict exactly where their ports overlap', () => {
    for (let seed = 0; seed < 500; seed++) {
      const claims = new PortClaims();
      const owners = new Map<number, string>();
      someRanges(seed).forEach((range, i) => {
        const taken = expand(range).find((port) => owners.has(port));
        const wanted = taken === undefined ? null : { port: taken, owner: owners.get(taken) };
        expect([seed, i, claims.claim(range, `s${i}`)]).toEqual([seed, i, wanted]);
        for (const port of expand(range)) if (!owners.has(port)) owners.set(port, `s${i}`);
      });
    }
  });

  it('list their distinct ports in ascending order, up to the limit', () => {
    for (let seed = 0; seed < 500; seed++) {
      const ranges = someRanges(seed);
      const all = [...new Set(ranges.flatMap(expand))].sort((a, b) => a - b);
      for (const limit of [0, 1, 7, 1_000]) expect(distinctPorts(ranges, limit)).toEqual(all.slice(0, limit));
    }
  });

  it('produce the same findings in a file as single ports', () => {
    for (let seed = 0; seed < 200; seed++) {
      const ranges = someRanges(seed);
      const file = (ports: string[]) =>
        `services:\n  web:\n    image: a\n    ports: [${ports.map((port) => `"${port}"`).join(', ')}]\n`;
      const conflicts = (ports: string[]) =>
        analyzeCompose(file(ports)).findings.some(({ code }) => code === 'port_conflict');
      expect(conflicts(ranges.map(({ first, last }) => `${first}-${last}:${first}-${last}`))).toBe(
        conflicts(ranges.flatMap(expand).map((port) => `${port}:${port}`)),
      );
    }
  });
});
