import { describe, expect, it } from 'vitest';
import { BLOCK_LINES, LogText } from './text';

const line = (text: string, timestamp: string | null = null, channel: 'stdout' | 'stderr' = 'stdout') =>
  ({ kind: 'line', id: 0, channel, timestamp, text }) as const;

describe('log text', () => {
  it('round-trips across blocks', () => {
    const log = new LogText();
    const texts = Array.from({ length: 3 * BLOCK_LINES + 7 }, (_, i) =>
      i % 11 === 0 ? '' : `line ${i} é😀`,
    );
    for (const [i, text] of texts.entries())
      log.add(
        line(text, `2026-01-21T10:00:00.${String(i).padStart(9, '0')}Z`, i % 2 === 0 ? 'stdout' : 'stderr'),
      );
    const view = log.view();
    expect(view.length).toBe(texts.length);
    for (const [i, text] of texts.entries()) {
      expect(view.text(i)).toBe(text);
      expect(view.width(i)).toBe(text.length);
    }
    expect(view.timestamp(12290)).toBe('2026-01-21T10:00:00.000012290Z');
    expect(view.kind(3)).toBe('stderr');
    expect(() => view.text(texts.length)).toThrow(RangeError);
  });

  it('keeps timestamps in any zone to the nanosecond, and lines without one', () => {
    const log = new LogText();
    for (const stamp of [
      '2026-01-21T10:00:00.123456789Z',
      '2026-01-21T12:00:00+02:00',
      '1969-12-31T23:59:59.5Z',
      null,
    ])
      log.add(line('x', stamp));
    const view = log.view();
    expect([0, 1, 2, 3].map((i) => view.timestamp(i))).toEqual([
      '2026-01-21T10:00:00.123456789Z',
      '2026-01-21T10:00:00.000000000Z',
      '1969-12-31T23:59:59.500000000Z',
      null,
    ]);
    expect(view.lineAt(Date.parse('2026-01-21T10:00:00Z'))).toBe(0);
    expect(view.lineAt(Date.parse('2026-01-22T10:00:00Z'))).toBe(view.end);
  });

  it('returns the plain text of colored lines and keeps their colors', () => {
    const log = new LogText();
    log.add(line('\u001b[31mred\u001b[0m plain'));
    log.add(line('10 %\r20 %\rdone'));
    const view = log.view();
    expect([view.text(0), view.raw(0)]).toEqual(['red plain', '\u001b[31mred\u001b[0m plain']);
    expect(view.text(1)).toBe('done');
  });

  it('drops the oldest lines by count and size, except in earlier views', () => {
    const log = new LogText({ lines: 2 * BLOCK_LINES });
    for (let i = 0; i < 2 * BLOCK_LINES; i++) log.add(line(`line ${i}`));
    const before = log.view();
    for (let i = 0; i < BLOCK_LINES; i++) log.add(line('new'));
    const after = log.view();
    expect(after.length).toBeLessThanOrEqual(2 * BLOCK_LINES);
    expect(after.dropped).toBe(after.first);
    expect(before.text(0)).toBe('line 0');
    expect(before.length).toBe(2 * BLOCK_LINES);
    const small = new LogText({ chars: 1_000_000 });
    for (let i = 0; i < 4 * BLOCK_LINES; i++) small.add(line('x'.repeat(100)));
    expect(small.view().length * 100).toBeLessThanOrEqual(1_000_000 + 100 * BLOCK_LINES);
    expect(small.view().dropped).toBeGreaterThan(0);
  });

  it('is exported completely, including gaps', () => {
    const log = new LogText();
    log.add(line('a', '2026-01-21T10:00:00.000000001Z'));
    log.add({ kind: 'gap', id: 0, after: '2026-01-21T10:00:00Z', before: '2026-01-21T10:00:09Z' });
    log.add(line('b'));
    expect([...log.view().plain()].join('')).toBe(
      '2026-01-21T10:00:00.000000001Z a\n--- Lines may be missing here between 10:00:00 and 10:00:09 ---\nb\n',
    );
  });
});
