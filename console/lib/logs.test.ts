import { describe, expect, it } from 'vitest';
import {
  LogFeed,
  LogParser,
  MAX_LINE_LENGTH,
  RingBuffer,
  parseAnsi,
  parseTimestamp,
  stripAnsi,
  timestampNanos,
} from './logs';

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const record = (text: string | Uint8Array, channel = 'stdout') =>
  `${JSON.stringify({ channel, message: base64(text) })}\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

function parse(chunks: (string | Uint8Array)[], options?: ConstructorParameters<typeof LogParser>[0]) {
  const parser = new LogParser(options);
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}
const texts = (lines: { text: string }[]) => lines.map(({ text }) => text);

describe('parsing', () => {
  const text = 'héllo 🔐\r\n\nsecond\n{not json\n[vmm heartbeat]\nlast';
  it('returns the same lines however the bytes are split', () => {
    const all = bytes(text);
    const expected = ['héllo 🔐', '', 'second', '{not json', 'last'];
    for (let size = 1; size <= all.length; size++) {
      const chunks = [];
      for (let i = 0; i < all.length; i += size) chunks.push(all.slice(i, i + size));
      expect(texts(parse(chunks))).toEqual(expected);
    }
  });

  it('reads NDJSON with both channels and with characters and lines split across records', () => {
    const emoji = bytes('a🔐b\n');
    const stream = [
      record('one\ntwo\n'),
      record(emoji.slice(0, 3)),
      record('oops\n', 'stderr'),
      '[vmm heartbeat]\n',
      record(emoji.slice(3)),
      '{"channel":"stdout","message":"not base64!"}\n',
    ].join('');
    const chunks = [...bytes(stream)].map((byte) => Uint8Array.of(byte));
    expect(parse(chunks)).toEqual([
      { channel: 'stdout', timestamp: null, text: 'one' },
      { channel: 'stdout', timestamp: null, text: 'two' },
      { channel: 'stderr', timestamp: null, text: 'oops' },
      { channel: 'stdout', timestamp: null, text: 'a🔐b' },
      { channel: 'stdout', timestamp: null, text: 'not base64!' },
    ]);
  });

  it("keeps an app's own JSON lines unchanged", () => {
    const line = '{"level":"info","message":"aGk="}';
    expect(texts(parse([`${line}\n`]))).toEqual([line]);
  });

  it('separates Docker timestamps, even within a split line', () => {
    const t = (n: number) => `2026-01-21T10:00:00.00000000${n}Z`;
    expect(
      parse([record(`${t(1)} hello\n`), record(`${t(2)} par`), record(`${t(3)} tial\n`)], {
        timestamps: true,
      }),
    ).toEqual([
      { channel: 'stdout', timestamp: t(1), text: 'hello' },
      { channel: 'stdout', timestamp: t(2), text: 'partial' },
    ]);
    expect(parse([`${t(1)} own time`])[0]?.text).toBe(`${t(1)} own time`);
    expect(parseTimestamp('hello')).toBeNull();
    expect(parseTimestamp(`${t(1)} `)).toEqual({ timestamp: t(1), text: '' });
  });

  it('compares times to the nanosecond across zones', () => {
    expect(timestampNanos('2026-01-21T10:00:00.000000002Z')).toBe(
      timestampNanos('2026-01-21T12:00:00.000000001+02:00')! + 1n,
    );
    expect(timestampNanos('2026-01-21T10:00:00.5Z')! % 1_000_000_000n).toBe(500_000_000n);
    expect(timestampNanos('nonsense')).toBeNull();
  });

  it('bounds memory without line endings and keeps characters intact', () => {
    const lines = parse(Array.from({ length: 40 }, () => '🔐'.repeat(50_000)));
    expect(lines.every(({ text }) => text.length <= MAX_LINE_LENGTH)).toBe(true);
    expect(lines.map(({ text }) => text).join('')).toBe('🔐'.repeat(2_000_000));
    expect(lines.some(({ text }) => /\p{Surrogate}/u.test(text))).toBe(false);
  });

  it('accepts a 64 KB record in one piece', () => {
    expect(parse([record(`${'x'.repeat(65_000)}\n`)])).toHaveLength(1);
  });
});

describe('ANSI', () => {
  const spans = (text: string) => parseAnsi(text).spans;
  it('converts colors to styles', () => {
    expect(spans('a\x1b[1;31mred\x1b[0m b \x1b[38;5;208mo\x1b[48;2;1;2;3mt\x1b[39;49mx\x1b[m')).toEqual([
      { text: 'a', style: {} },
      { text: 'red', style: { bold: true, fg: { palette: 1 } } },
      { text: ' b ', style: {} },
      { text: 'o', style: { fg: { palette: 208 } } },
      { text: 't', style: { fg: { palette: 208 }, bg: { rgb: 0x010203 } } },
      { text: 'x', style: {} },
    ]);
    expect(spans('\x1b[38:2::255:0:16mx\x1b[92my\x1b[4:3mz')).toEqual([
      { text: 'x', style: { fg: { rgb: 0xff0010 } } },
      { text: 'y', style: { fg: { palette: 10 } } },
      { text: 'z', style: { fg: { palette: 10 }, underline: true } },
    ]);
  });

  it('carries the style to the next line on request', () => {
    const first = parseAnsi('\x1b[32mgreen');
    expect(parseAnsi('still\x1b[0m', first.end)).toEqual({
      spans: [{ text: 'still', style: { fg: { palette: 2 } } }],
      end: {},
    });
  });

  it.each([
    ['cursor and clear', 'a\x1b[2J\x1b[1;1H\x1b[Kb', 'ab'],
    ['title', 'a\x1b]0;evil title\x07b', 'ab'],
    ['link', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['device string', 'a\x1bPq#0\x1b\\b', 'ab'],
    ['charset, keypad, reset', '\x1b(B\x1b=\x1bca', 'a'],
    ['C1', 'a\x9b31mb\x85c\x90x\x9cd', 'abcd'],
    ['bell, backspace, NUL', 'a\x07\x08\0b', 'ab'],
    ['truncated', 'a\x1b[31', 'a'],
    ['unterminated title', 'a\x1b]0;no end', 'a'],
    ['lone escape', 'a\x1b', 'a'],
    ['private m', 'a\x1b[?1;2mb\x1b[>4;2mc', 'abc'],
    ['invalid colors', '\x1b[38;5;999ma\x1b[38;2;1;2mb\x1b[38mc\x1b[999md', 'abcd'],
    ['tab kept', 'a\tb', 'a\tb'],
  ])('drops other sequences: %s', (_name, input, shown) => {
    expect(stripAnsi(input)).toBe(shown);
    expect(
      parseAnsi(input)
        .spans.map(({ text }) => text)
        .join(''),
    ).toBe(shown);
    expect(parseAnsi(input).spans.every(({ style }) => !style.fg)).toBe(!['C1'].includes(_name));
  });

  it('shows the final state of a progress bar', () => {
    expect(spans('10%\r50%\r100%')).toEqual([{ text: '100%', style: {} }]);
    expect(spans('done\r')).toEqual([{ text: 'done', style: {} }]);
  });

  it('parses hostile input quickly', () => {
    // Takes 100 ms; backtracking takes many minutes.
    const before = performance.now();
    for (const piece of ['\x1b[', '\x1b]', '\x1b[1;', '\x1b', '1;', '\x9b;', '\x1b(']) {
      stripAnsi(piece.repeat(30_000));
      parseAnsi(`\x1b[${piece.repeat(30_000)}`);
    }
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});

describe('RingBuffer', () => {
  it('keeps the newest entries and counts the others', () => {
    const buffer = new RingBuffer<number>(3);
    for (let i = 0; i < 8; i++) buffer.push(i);
    expect(buffer.toArray()).toEqual([5, 6, 7]);
    expect([buffer.at(0), buffer.at(2), buffer.at(3), buffer.at(-1)]).toEqual([5, 7, undefined, undefined]);
    expect([buffer.length, buffer.dropped]).toEqual([3, 5]);
    buffer.clear();
    expect([buffer.length, buffer.dropped, buffer.at(0)]).toEqual([0, 0, undefined]);
    expect(() => new RingBuffer(0)).toThrow(RangeError);
  });
});

const shown = (feed: LogFeed) =>
  feed.entries.toArray().map((entry) => (entry.kind === 'gap' ? 'GAP' : entry.text));

describe('resuming a log with timestamps', () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 21, 10) + ms).toISOString().replace('Z', '123456Z');
  const line = (ms: number, text: string) => `${at(ms)} ${text}\n`;

  it('shows each line once when the replay overlaps', () => {
    const feed = new LogFeed({ timestamps: true });
    expect(feed.connect()).toEqual({});
    feed.push(line(0, 'old') + line(5000, 'a') + line(5500, 'b') + line(5500, 'b') + '2026-01-');
    expect(feed.connect()).toEqual({ since: at(5000) });
    feed.push(line(5000, 'a') + line(5500, 'b') + line(5500, 'b') + line(5500, 'b') + line(6000, 'c'));
    feed.push(line(6000, 'd'));
    expect(shown(feed)).toEqual(['old', 'a', 'b', 'b', 'b', 'c', 'd']);
  });

  it('marks a gap with its bounds when the last line is not replayed', () => {
    const feed = new LogFeed({ timestamps: true });
    feed.connect();
    feed.push(line(0, 'a'));
    feed.connect();
    feed.push(line(90_000, 'z'));
    expect(shown(feed)).toEqual(['a', 'GAP', 'z']);
    expect(feed.entries.at(1)).toMatchObject({ after: at(0), before: at(90_000) });
    feed.push(line(91_000, 'y'));
    expect(shown(feed).filter((text) => text === 'GAP')).toHaveLength(1);
  });

  it('supports servers that round `since` down or ignore it', () => {
    const feed = new LogFeed({ timestamps: true });
    feed.connect();
    const first = line(0, 'x') + line(3000, 'y') + line(9900, 'z');
    feed.push(first);
    feed.connect();
    feed.push(first + line(10_000, 'new'));
    feed.settle();
    expect(shown(feed)).toEqual(['x', 'y', 'z', 'new']);
  });

  it('supports a clock that steps back during the interruption', () => {
    const feed = new LogFeed({ timestamps: true });
    feed.connect();
    feed.push(line(60_000, 'a'));
    feed.connect();
    feed.push(line(1_000, 'b') + line(2_000, 'c'));
    expect(shown(feed)).toEqual(['a']);
    expect(feed.holding).toBe(true);
    feed.settle();
    expect(shown(feed)).toEqual(['a', 'GAP', 'b', 'c']);
    feed.connect();
    feed.push(line(60_000, 'a') + line(1_000, 'b') + line(2_000, 'c') + line(2_500, 'd'));
    expect(shown(feed).slice(4)).toEqual(['d']);
  });

  it('neither repeats nor loses a line in any pattern of interruptions', () => {
    let seed = 3;
    const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 60; round++) {
      // Two writers out of order by up to 400 ms, with equal times and equal texts.
      const log = Array.from({ length: 300 }, (_, i) => {
        const ms = i * 120 + Math.floor(next() * 4) * 100;
        return { ms, wire: line(ms, `t${Math.floor(next() * 3)}`) };
      });
      const feed = new LogFeed({ timestamps: true });
      let position = 0;
      while (position < log.length) {
        const { since } = feed.connect();
        const from = since === undefined ? 0 : log.findIndex(({ ms }) => at(ms) >= since);
        const until = Math.min(log.length, Math.max(position, from) + Math.floor(next() * 60) + 1);
        const wire = log
          .slice(from, until)
          .filter(({ ms }) => since === undefined || at(ms) >= since)
          .map((entry) => entry.wire)
          .join('');
        feed.push(next() < 0.5 ? wire : wire + line(999_999_999, 'half').slice(0, 30));
        position = until;
      }
      expect(feed.toText()).toBe(log.map(({ wire }) => wire).join(''));
    }
  });
});

describe('resuming a log without timestamps', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('');

  it('joins lines by text', () => {
    const feed = new LogFeed();
    feed.connect();
    feed.push(lines(0, 100));
    expect(feed.connect()).toEqual({ tail: 1200 });
    feed.push(lines(50, 120));
    expect(feed.holding).toBe(true);
    expect(feed.settle()).toBe(20);
    feed.push(lines(120, 130));
    expect(feed.toText()).toBe(lines(0, 130));
  });

  it('joins a replay that starts earlier than the buffer or has nothing new', () => {
    const feed = new LogFeed();
    feed.connect();
    feed.push(lines(50, 60));
    feed.connect();
    feed.push(lines(0, 62));
    feed.settle();
    feed.connect();
    feed.push(lines(0, 62));
    expect(feed.settle()).toBe(0);
    feed.push(lines(62, 63));
    expect(feed.toText()).toBe(lines(50, 63));
  });

  it("marks a gap when the parts don't overlap", () => {
    const feed = new LogFeed();
    feed.connect();
    feed.push(lines(0, 10));
    feed.connect();
    feed.push(lines(20, 22));
    feed.end();
    expect(shown(feed).slice(9)).toEqual(['line 9', 'GAP', 'line 20', 'line 21']);
  });
});

it('bounds the viewer and gives entries permanent numbers', () => {
  const feed = new LogFeed({ capacity: 10 });
  feed.push('x\n'.repeat(25));
  expect(feed.entries.dropped).toBe(15);
  expect(feed.entries.at(0)?.id).toBe(15);
  feed.push('tail without end');
  expect(feed.end()).toBe(1);
  expect(shown(feed).at(-1)).toBe('tail without end');
});
