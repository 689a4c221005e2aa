// A long log's lines in little memory: text joined in blocks, everything else in typed arrays. A million lines
// of a hundred characters take about 120 MB; as objects they would take several times as much, and the garbage
// collector would visit each.

import type { LogEntry } from '../logs';
import { parseAnsi } from './ansi';
import { timestampNanos } from './parse';

/** Lines per block; blocks are dropped as a whole. */
export const BLOCK_LINES = 4096;
const MAX_LINES = 1_000_000;
/** Characters, most of which take one byte. */
const MAX_CHARS = 256 * 1024 * 1024;

export type RowKind = 'stdout' | 'stderr' | 'gap' | 'notice';
const KINDS: readonly RowKind[] = ['stdout', 'stderr', 'gap', 'notice'];
export const KIND = { stdout: 0, stderr: 1, gap: 2, notice: 3 } as const;

// oxlint-disable-next-line no-control-regex -- terminal escapes are what is looked for
const ESCAPES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Up to BLOCK_LINES lines; filled once and never changed. */
export class Block {
  count = 0;
  chars = 0;
  readonly kinds = new Uint8Array(BLOCK_LINES);
  /** Where each line ends in the block's text. */
  readonly ends = new Uint32Array(BLOCK_LINES);
  /** Milliseconds since 1970 (NaN without a timestamp), and the nanoseconds beyond them. */
  readonly ms = new Float64Array(BLOCK_LINES);
  readonly nanos = new Uint32Array(BLOCK_LINES);
  /** Positions of gaps and notices, which match every filter. */
  readonly marks: number[] = [];
  /** Original lines with terminal escapes, by position; few logs have many. */
  #raw: Map<number, string> | null = null;
  #parts: string[] | null = [];
  #text = '';

  /** @param start number of its first line in the whole log */
  constructor(readonly start: number) {}

  add(kind: RowKind, timestamp: string | null, text: string): void {
    const at = this.count;
    const colored = ESCAPES.test(text);
    if (colored) (this.#raw ??= new Map()).set(at, text);
    const plain = colored ? plainOf(text) : text;
    this.kinds[at] = KIND[kind];
    if (kind === 'gap' || kind === 'notice') this.marks.push(at);
    const nanos = timestamp === null ? null : timestampNanos(timestamp);
    this.ms[at] = nanos === null ? Number.NaN : Number(nanos / 1_000_000n);
    this.nanos[at] = nanos === null ? 0 : Number(nanos % 1_000_000n);
    this.chars += plain.length;
    this.ends[at] = this.chars;
    this.#parts!.push(plain);
    this.count++;
    if (this.count === BLOCK_LINES) {
      // Substrings of received text keep all of it alive; joining them makes a copy.
      this.#text = this.#parts!.join('');
      this.#parts = null;
    }
  }

  /** The whole text of a full block, whose lines are contiguous; null until then. */
  get whole(): string | null {
    return this.#parts ? null : this.#text;
  }

  text(at: number): string {
    return this.#parts ? (this.#parts[at] ?? '') : this.#text.slice(this.from(at), this.ends[at]);
  }

  from(at: number): number {
    return at === 0 ? 0 : this.ends[at - 1]!;
  }

  /** Including its escapes. */
  raw(at: number): string | null {
    return this.#raw?.get(at) ?? null;
  }
}

const plainOf = (text: string) =>
  parseAnsi(text)
    .spans.map((span) => span.text)
    .join('');

/** A snapshot of lines `first` to `end` (exclusive). Retains its blocks, so it stays valid. */
export class LogView {
  constructor(
    readonly blocks: readonly Block[],
    readonly first: number,
    readonly end: number,
    /** Older lines that were dropped to make room. */
    readonly dropped: number,
    /** Changes with every modification. */
    readonly version: number,
  ) {}

  get length(): number {
    return this.end - this.first;
  }

  /** Returns a line's block and its position there. */
  find(line: number): [Block, number] {
    const base = this.blocks[0]?.start ?? 0;
    const block = this.blocks[Math.floor((line - base) / BLOCK_LINES)];
    if (!block || line < this.first || line >= this.end) throw new RangeError(`no line ${line}`);
    return [block, line - block.start];
  }

  kind(line: number): RowKind {
    const [block, at] = this.find(line);
    return KINDS[block.kinds[at]!]!;
  }

  text(line: number): string {
    const [block, at] = this.find(line);
    return block.text(at);
  }

  /** Length of the text in characters, without building it. */
  width(line: number): number {
    const [block, at] = this.find(line);
    return block.ends[at]! - block.from(at);
  }

  /** Including its terminal escapes; null if there are none. */
  raw(line: number): string | null {
    const [block, at] = this.find(line);
    return block.raw(at);
  }

  /** RFC 3339 in UTC with nanoseconds; null without a timestamp. */
  timestamp(line: number): string | null {
    const [block, at] = this.find(line);
    const ms = block.ms[at]!;
    if (Number.isNaN(ms)) return null;
    return `${new Date(ms).toISOString().slice(0, -1)}${String(block.nanos[at]!).padStart(6, '0')}Z`;
  }

  /** Returns the first line at or after that time, or `end`: timestamps rarely go back. */
  lineAt(ms: number): number {
    for (const block of this.blocks)
      for (let at = 0; at < block.count; at++)
        if (block.ms[at]! >= ms && block.start + at >= this.first) return block.start + at;
    return this.end;
  }

  /** Yields plain text, one string per block, with timestamps where known. */
  *plain(): Generator<string> {
    for (const block of this.blocks) {
      let text = '';
      const to = Math.min(block.count, this.end - block.start);
      for (let at = Math.max(0, this.first - block.start); at < to; at++) {
        const stamp = this.timestamp(block.start + at);
        const body = block.text(at);
        const mark = block.kinds[at] === KIND.gap || block.kinds[at] === KIND.notice;
        text += mark ? `--- ${body} ---\n` : stamp === null ? `${body}\n` : `${stamp} ${body}\n`;
      }
      yield text;
    }
  }
}

export interface LogTextOptions {
  lines?: number;
  chars?: number;
}

/** Keeps the newest lines; appends at the end. */
export class LogText {
  readonly #lines: number;
  readonly #chars: number;
  #blocks: readonly Block[] = [];
  #first = 0;
  #end = 0;
  #total = 0;
  #dropped = 0;
  #version = 0;
  #view: LogView | null = null;

  constructor({ lines = MAX_LINES, chars = MAX_CHARS }: LogTextOptions = {}) {
    this.#lines = lines;
    this.#chars = chars;
  }

  add(entry: LogEntry): void {
    let block = this.#blocks.at(-1);
    if (!block || block.count === BLOCK_LINES) {
      block = new Block(this.#end);
      this.#blocks = [...this.#blocks, block];
    }
    const before = block.chars;
    if (entry.kind === 'gap') block.add('gap', null, gapText(entry));
    else block.add(entry.channel, entry.timestamp, entry.text);
    this.#total += block.chars - before;
    this.#end++;
    while (this.#blocks.length > 1 && (this.#end - this.#first > this.#lines || this.#total > this.#chars))
      this.#drop();
    this.#view = null;
  }

  #drop(): void {
    const [oldest, ...rest] = this.#blocks;
    if (!oldest) return;
    this.#blocks = rest;
    this.#total -= oldest.chars;
    this.#first = oldest.start + oldest.count;
    this.#dropped += oldest.count;
  }

  /** Drops all lines; numbering continues. */
  clear(): void {
    this.#blocks = [];
    this.#first = this.#end;
    this.#dropped = 0;
    this.#total = 0;
    this.#view = null;
  }

  /** Returns a snapshot of the current lines. */
  view(): LogView {
    this.#view ??= new LogView(this.#blocks, this.#first, this.#end, this.#dropped, ++this.#version);
    return this.#view;
  }
}

function gapText({ after, before }: { after: string | null; before: string | null }): string {
  const between = after && before ? ` between ${after.slice(11, 19)} and ${before.slice(11, 19)}` : '';
  return `Lines may be missing here${between}`;
}
