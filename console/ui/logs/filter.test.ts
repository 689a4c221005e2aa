import { describe, expect, it } from 'vitest';
import { BLOCK_LINES, LogText } from '../../lib/logs/text';
import { firstHit, LogFilter, type LogQuery, pieces } from './filter';
import { Numbers } from './numbers';
import { EqualRows, UnequalRows } from './rowHeights';
import { type ScrollBox, Scroller } from './scroller';

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
}

interface Given {
  channel: 'stdout' | 'stderr' | 'gap';
  text: string;
}

function some(count: number, below: (n: number) => number): Given[] {
  const words = ['error', 'Error:', 'ok', 'İstanbul', 'straße', '\u001b[31mred\u001b[0m', 'ab', 'ba', ''];
  return Array.from({ length: count }, () => ({
    channel: below(200) === 0 ? 'gap' : below(3) === 0 ? 'stderr' : 'stdout',
    text: Array.from({ length: below(4) }, () => words[below(words.length)]).join(below(2) === 0 ? ' ' : ''),
  }));
}

function add(log: LogText, lines: readonly Given[]): void {
  for (const { channel, text } of lines)
    if (channel === 'gap') log.add({ kind: 'gap', id: 0, after: null, before: null });
    else log.add({ kind: 'line', id: 0, channel, timestamp: null, text });
}

const all = (filter: LogFilter, log: LogText, query: LogQuery) => {
  filter.update(log.view(), query);
  filter.work(Infinity);
  const rows = filter.rows();
  return {
    rows: Array.from({ length: rows.count }, (_, row) => rows.line(row)),
    hits: Array.from({ length: rows.hits.length }, (_, i) => rows.hits.at(i)),
    left: rows.left,
  };
};

/** Finds the expected lines with a naive search. */
function plainly(log: LogText, { text, channels, only }: LogQuery) {
  const view = log.view();
  const rows: number[] = [];
  const hits: number[] = [];
  for (let line = view.first; line < view.end; line++) {
    const kind = view.kind(line);
    const mark = kind === 'gap';
    if (!mark && channels.size > 0 && !channels.has(kind)) continue;
    const hit = !mark && text !== '' && view.text(line).toLowerCase().includes(text);
    if (hit) hits.push(line);
    if (mark || hit || !only || text === '') rows.push(line);
  }
  return { rows, hits, left: 0 };
}

const QUERIES: LogQuery[] = ['', 'error', 'r', 'ab', 'ß', 'i̇', 'red', 'rore', 'nothing'].flatMap((text) =>
  [new Set<string>(), new Set(['stderr']), new Set(['stdout', 'stderr'])].flatMap((channels) =>
    [true, false].map((only) => ({ text, channels, only })),
  ),
);

describe('a filter', () => {
  it.each(QUERIES)('matches a naive search in a log that grows and drops lines: %j', (query) => {
    const below = numbers(7);
    const log = new LogText({ lines: 3 * BLOCK_LINES });
    const filter = new LogFilter();
    for (const count of [10, 300, BLOCK_LINES, 1, 2 * BLOCK_LINES, 5, BLOCK_LINES]) {
      add(log, some(count, below));
      expect(all(filter, log, query)).toEqual(plainly(log, query));
    }
  });

  it('restarts with a new query and after the log is cleared', () => {
    const below = numbers(3);
    const log = new LogText();
    const filter = new LogFilter();
    add(log, some(500, below));
    for (const query of QUERIES) expect(all(filter, log, query)).toEqual(plainly(log, query));
    log.clear();
    expect(all(filter, log, QUERIES[0]!)).toEqual({ rows: [], hits: [], left: 0 });
    add(log, some(50, below));
    for (const query of QUERIES) expect(all(filter, log, query)).toEqual(plainly(log, query));
  });

  it('returns partial results while searching, then resumes', () => {
    const log = new LogText();
    add(log, some(10 * BLOCK_LINES, numbers(5)));
    const query: LogQuery = { text: 'error', channels: new Set(), only: true };
    const filter = new LogFilter();
    filter.update(log.view(), query);
    let steps = 0;
    for (let before = -1; filter.rows().left > 0; steps++) {
      filter.work(0);
      const { count } = filter.rows();
      expect(count).toBeGreaterThanOrEqual(before);
      before = count;
    }
    expect(steps).toBe(10);
    const rows = filter.rows();
    const expected = plainly(log, query).rows;
    expect(Array.from({ length: rows.count }, (_, row) => rows.line(row))).toEqual(expected);
    expect(rows.row(expected[5]!)).toBe(5);
    expect(rows.row(expected[5]! + 1)).toBe(6);
  });
});

describe('matches', () => {
  const hits = new Numbers();
  for (const line of [10, 20, 30]) hits.push(line);
  it('are found relative to the visible lines, wrapping at both ends', () => {
    expect([0, 15, 20, 31].map((top) => firstHit(hits, top, 1))).toEqual([0, 1, 1, 0]);
    expect([0, 15, 20, 31].map((top) => firstHit(hits, top, -1))).toEqual([2, 0, 0, 2]);
  });

  it('are highlighted across color changes', () => {
    const spans = [{ text: 'ab', color: 'red' as const }, { text: 'cd' }];
    expect(pieces({ text: 'abcd', spans }, 'bc')).toEqual([
      { text: 'a', color: 'red', hit: false },
      { text: 'b', color: 'red', hit: true },
      { text: 'c', hit: true },
      { text: 'd', hit: false },
    ]);
    expect(pieces({ text: 'aXbX' }, 'x').map(({ hit }) => hit)).toEqual([false, true, false, true]);
    expect(pieces({ text: 'İx' }, 'x')).toEqual([{ text: 'İx', hit: false }]);
  });
});

describe('rows of varying height', () => {
  it('map between row and offset, even after height corrections', () => {
    const below = numbers(11);
    const rows = new UnequalRows();
    const plain: number[] = [];
    for (let i = 0; i < 5000; i++) {
      plain.push(20 * (1 + below(4)));
      rows.push(plain[i]!);
    }
    for (let i = 0; i < 500; i++) {
      const row = below(5000);
      plain[row] = 20 * (1 + below(9));
      rows.correct(row, plain[row]!);
    }
    let top = 0;
    for (let row = 0; row < 5000; row++) {
      if (row % 61 === 0) {
        expect(rows.top(row)).toBe(top);
        expect(rows.rowAt(top)).toBe(row);
        expect(rows.rowAt(top + plain[row]! - 1)).toBe(row);
      }
      top += plain[row]!;
    }
    expect(rows.total).toBe(top);
    expect(rows.rowAt(top + 1000)).toBe(4999);
    const gone = rows.top(2048);
    expect(rows.dropFirst(2048)).toBe(true);
    expect(rows.dropFirst(100)).toBe(false);
    expect([rows.count, rows.total]).toEqual([5000 - 2048, top - gone]);
    expect(rows.height(0)).toBe(plain[2048]);
    expect(rows.rowAt(rows.top(1500))).toBe(1500);
  });

  it('keep the height of a very long line', () => {
    const rows = new UnequalRows();
    rows.push(65_540);
    expect(rows.height(0)).toBe(65_540);
    // Otherwise it would be corrected after every drawing, which never ends.
    rows.correct(0, 80_000);
    expect([rows.height(0), rows.total]).toEqual([80_000, 80_000]);
  });
});

describe('a scroller', () => {
  const HEIGHT = 600;
  const box = (): ScrollBox & { canvas: () => number; scroller: Scroller; wheel: (by: number) => void } => {
    const scroller = new Scroller(new EqualRows(1_000_000, 20));
    let top = 0;
    const most = () => scroller.canvas - HEIGHT;
    const made = {
      get scrollTop() {
        return top;
      },
      set scrollTop(value: number) {
        top = Math.max(0, Math.min(most(), value));
      },
      canvas: () => scroller.canvas,
      scroller,
      wheel(by: number) {
        made.scrollTop += by;
        scroller.scrolled();
      },
    };
    scroller.box = made;
    scroller.viewport = HEIGHT;
    return made;
  };

  it("moves by the wheel's pixels anywhere among twenty million rows", () => {
    const one = box();
    const { scroller } = one;
    expect(one.canvas()).toBeLessThan(5_000_000);
    for (const start of [0, 7_654_321, 19_990_000]) {
      scroller.moveTo(start);
      scroller.settle();
      expect(scroller.y).toBeCloseTo(start, -1);
      let expected = scroller.y;
      for (let i = 0; i < 3000; i++) {
        const by = i % 3 === 0 ? -90 : 120;
        one.wheel(by);
        expected = Math.max(0, Math.min(scroller.end, expected + by));
        expect(Math.abs(scroller.y - expected)).toBeLessThan(2);
        expected = scroller.y;
      }
    }
  });

  it('reaches both ends by wheel and scroll bar', () => {
    const one = box();
    const { scroller } = one;
    one.scrollTop = one.canvas();
    scroller.scrolled();
    expect(scroller.y).toBe(scroller.end);
    one.scrollTop = 0;
    scroller.scrolled();
    expect(scroller.y).toBe(0);
    scroller.moveTo(scroller.end - 5_000);
    scroller.settle();
    for (let i = 0; i < 60; i++) one.wheel(100);
    expect(scroller.y).toBe(scroller.end);
    scroller.moveTo(5_000);
    scroller.settle();
    for (let i = 0; i < 60; i++) one.wheel(-100);
    expect(scroller.y).toBe(0);
    one.scrollTop = one.canvas() / 2;
    scroller.scrolled();
    expect(scroller.y / scroller.end).toBeCloseTo(0.5, 2);
  });
});
