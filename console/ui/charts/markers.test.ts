import { describe, expect, it } from 'vitest';
import { changesAt, groupLabel, groupMarkers, markersIn } from './markers';

const frame = { from: 1000, step_ms: 10, count: 10 };
const marker = (at: number, label = `at ${at}`) => ({
  id: String(at),
  at,
  label,
  kind: 'restart',
  failed: false,
});

describe('markers', () => {
  it('are those inside the chart, oldest first', () => {
    const found = markersIn([marker(1100), marker(1099), marker(1000), marker(999)], frame);
    expect(found.map(({ at }) => at)).toEqual([1000, 1099]);
  });
  it('near each other form one group, and groups keep their distance', () => {
    const groups = groupMarkers(
      [1000, 1004, 1009, 1010, 1030].map((at) => marker(at)),
      10,
    );
    expect(groups.map(({ at, markers }) => [at, markers.length])).toEqual([
      [1000, 3],
      [1010, 1],
      [1030, 1],
    ]);
    const many = groupMarkers(
      Array.from({ length: 300 }, (_, i) => marker(1000 + i / 100)),
      10,
    );
    expect(many).toHaveLength(1);
  });
  it('of a group are counted and named, up to five', () => {
    expect(groupLabel({ at: 1, markers: [marker(1, 'Restart')] })).toBe('Restart');
    expect(groupLabel({ at: 1, markers: [marker(1, 'Stop'), marker(2, 'Start')] })).toBe(
      '2 changes: Stop, Start',
    );
    const seven = Array.from({ length: 7 }, (_, i) => marker(i, 'Restart'));
    expect(groupLabel({ at: 0, markers: seven })).toBe(
      '7 changes: Restart, Restart, Restart, Restart, Restart and 2 more',
    );
  });
  it('are listed at their step', () => {
    const two = [marker(1010, 'Stop'), marker(1019, 'Start')];
    expect(changesAt(two, 1, frame)).toBe('Stop, Start');
    expect(changesAt(two, 2, frame)).toBe('');
  });
});
