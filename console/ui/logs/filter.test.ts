import { describe, expect, it } from 'vitest';
import { firstHit, LogFilter, pieces, type LogQuery } from './filter';
import type { Line } from './line';

const line = (id: number, text: string, channel = 'web', kind: Line['kind'] = 'line'): Line => ({
  id,
  text,
  channel,
  kind,
});
const query = (text = '', only = false, channels: string[] = []): LogQuery => ({
  text,
  only,
  channels: new Set(channels),
});
const ids = (lines: readonly Line[]) => lines.map((one) => one.id);

describe('LogFilter', () => {
  it('marks or keeps only what matches, whatever the case', () => {
    const lines = [line(1, 'GET /'), line(2, 'Error: no'), line(3, 'error again')];
    const filter = new LogFilter();
    expect(filter.update(lines, query('error'))).toEqual({ lines, hits: [1, 2] });
    expect(ids(filter.update(lines, query('error', true)).lines)).toEqual([2, 3]);
  });
  it('filters channels but always shows gaps', () => {
    const lines = [line(1, 'a'), line(2, 'b', 'db'), line(3, '40 lines missing', '', 'gap')];
    expect(ids(new LogFilter().update(lines, query('', false, ['db'])).lines)).toEqual([2, 3]);
  });
  it('gives the same when lines arrive bit by bit and old ones are dropped as when seen at once', () => {
    const all = Array.from({ length: 500 }, (_, i) =>
      line(i, i % 7 === 0 ? 'error' : 'fine', i % 2 ? 'web' : 'db'),
    );
    for (const q of [
      query('error'),
      query('error', true),
      query('err', true, ['web']),
      query('', false, ['db']),
    ]) {
      const stepwise = new LogFilter();
      for (let end = 0; end <= all.length; end += 13) {
        const window = all.slice(Math.max(0, end - 120), end);
        expect(stepwise.update(window, q)).toEqual(new LogFilter().update(window, q));
      }
    }
  });
  it('starts over when the log is cleared or is another one', () => {
    const filter = new LogFilter();
    filter.update([line(1, 'a'), line(2, 'b')], query());
    expect(filter.update([], query()).lines).toEqual([]);
    expect(ids(filter.update([line(9, 'x')], query()).lines)).toEqual([9]);
  });
  it('looks at new lines only', () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => line(i, `line ${i}`));
    const filter = new LogFilter();
    filter.update(lines, query('99'));
    let looked = 0;
    const watched: Line = Object.defineProperty(line(-1, ''), 'text', { get: () => ((looked += 1), '99') });
    for (const one of lines) Object.defineProperty(one, 'text', { get: () => ((looked += 1), '') });
    filter.update([...lines, watched], query('99'));
    expect(looked).toBe(1);
  });
});

describe('pieces', () => {
  it('cuts at colours and at matches, losing nothing', () => {
    const spans = [{ text: 'big er', color: 'red' as const }, { text: 'ror, error' }];
    const cut = pieces({ text: 'big error, error', spans }, 'error');
    expect(cut.map((piece) => [piece.text, piece.hit, piece.color])).toEqual([
      ['big ', false, 'red'],
      ['er', true, 'red'],
      ['ror', true, undefined],
      [', ', false, undefined],
      ['error', true, undefined],
    ]);
  });
});

describe('firstHit', () => {
  it('starts from what is on screen and goes around the ends', () => {
    const hits = [10, 20, 30];
    expect(firstHit(hits, 15, 1)).toBe(1);
    expect(firstHit(hits, 15, -1)).toBe(0);
    expect(firstHit(hits, 31, 1)).toBe(0);
    expect(firstHit(hits, 5, -1)).toBe(2);
  });
});
