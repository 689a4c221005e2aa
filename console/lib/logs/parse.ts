// Converts log stream bytes to lines. Two formats exist: the guest agent's NDJSON `{"channel","message"}` with
// base64 messages, and plain text.

import { utf8 } from '../bytes';

export type LogChannel = 'stdout' | 'stderr';

export interface ParsedLine {
  channel: LogChannel;
  /** As sent by Docker (RFC 3339, nanoseconds); null without one. */
  timestamp: string | null;
  text: string;
}

/** Longer lines are split, so that a stream without line endings can't exhaust memory. */
export const MAX_LINE_LENGTH = 64 * 1024;
/** A record is a line of base64 and JSON around a message, and must arrive complete. */
const MAX_RECORD_LENGTH = 1024 * 1024;
const HEARTBEAT = '[vmm heartbeat]';
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))(?: |$)/;

/** Splits Docker's `<RFC3339Nano> <text>`; null if the line doesn't start with a timestamp. */
export function parseTimestamp(line: string): { timestamp: string; text: string } | null {
  const match = TIMESTAMP.exec(line);
  const timestamp = match?.[1];
  return match && timestamp ? { timestamp, text: line.slice(match[0].length) } : null;
}

/** Nanoseconds since 1970, to compare timestamps that differ by less than a millisecond; null if invalid. */
export function timestampNanos(timestamp: string): bigint | null {
  const ms = Date.parse(timestamp.replace(/\.\d+/, ''));
  if (Number.isNaN(ms)) return null;
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  return BigInt(ms) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** Collects bytes into lines; joins characters split between chunks. */
class LineAssembler {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly longest: number;
  private rest = '';

  constructor(longest: number) {
    this.longest = longest;
  }

  get pending(): boolean {
    return this.rest !== '';
  }

  push(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.rest = lines.pop() ?? '';
    const whole = lines.flatMap((line) => cut(line.endsWith('\r') ? line.slice(0, -1) : line, this.longest));
    if (this.rest.length > this.longest) {
      const pieces = cut(this.rest, this.longest);
      this.rest = pieces.pop() ?? '';
      whole.push(...pieces);
    }
    return whole;
  }

  end(): string[] {
    const rest = this.rest + this.decoder.decode();
    this.rest = '';
    return rest === '' ? [] : cut(rest, this.longest);
  }
}

function cut(line: string, longest: number): string[] {
  if (line.length <= longest) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < line.length;) {
    let end = Math.min(at + longest, line.length);
    // Don't split a surrogate pair.
    if (end < line.length && /[\ud800-\udbff]/.test(line[end - 1] ?? '')) end--;
    pieces.push(line.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Returns the record on an NDJSON line; null for any other line. */
function parseRecord(line: string): { channel: LogChannel; message: Uint8Array } | null {
  if (!line.startsWith('{')) return null;
  try {
    const record = JSON.parse(line) as { channel?: unknown; message?: unknown } | null;
    if (typeof record?.message !== 'string' || typeof record.channel !== 'string') return null;
    const channel = record.channel === 'stderr' ? 'stderr' : 'stdout';
    return { channel, message: decodeMessage(record.message) };
  } catch {
    return null;
  }
}

/** Decodes what looks like base64 and keeps other text, as the published clients do. */
function decodeMessage(message: string): Uint8Array {
  if (message.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(message)) return utf8(message);
  try {
    const binary = atob(message);
    // A loop, because at thousands of lines a second a call per character would dominate.
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return utf8(message);
  }
}

export interface LogParserOptions {
  /** "auto" (the default) decides by the first nonblank line. */
  format?: 'auto' | 'ndjson' | 'text' | undefined;
  /** True when `timestamps` was requested: each line then starts with Docker's time. */
  timestamps?: boolean | undefined;
}

/** Incremental: accepts chunks as they arrive and returns the lines each completes. */
export class LogParser {
  private format: 'auto' | 'ndjson' | 'text';
  private readonly timestamps: boolean;
  private readonly outer = new LineAssembler(MAX_RECORD_LENGTH);
  private readonly inner = {
    stdout: new LineAssembler(MAX_LINE_LENGTH),
    stderr: new LineAssembler(MAX_LINE_LENGTH),
  };

  constructor({ format = 'auto', timestamps = false }: LogParserOptions = {}) {
    this.format = format;
    this.timestamps = timestamps;
  }

  push(chunk: Uint8Array | string): ParsedLine[] {
    const bytes = typeof chunk === 'string' ? utf8(chunk) : chunk;
    return this.outer.push(bytes).flatMap((line) => this.line(line));
  }

  /** Call when the stream ended: text without a final line ending is a line too. */
  end(): ParsedLine[] {
    const lines = this.outer.end().flatMap((line) => this.line(line));
    for (const channel of ['stdout', 'stderr'] as const) {
      for (const text of this.inner[channel].end()) lines.push(this.finish(channel, text));
    }
    return lines;
  }

  private line(line: string): ParsedLine[] {
    if (line.trim() === HEARTBEAT) return [];
    if (this.format === 'auto') {
      if (line.trim() === '') return [this.finish('stdout', line)];
      this.format = parseRecord(line) ? 'ndjson' : 'text';
    }
    const record = this.format === 'ndjson' ? parseRecord(line) : null;
    if (!record) {
      if (this.format === 'ndjson' && line === '') return [];
      return cut(line, MAX_LINE_LENGTH).map((piece) => this.finish('stdout', piece));
    }
    const assembler = this.inner[record.channel];
    const message = assembler.pending ? this.continuation(record.message) : record.message;
    return assembler.push(message).map((text) => this.finish(record.channel, text));
  }

  /** Docker timestamps every piece of a long line; only the first timestamp counts. */
  private continuation(message: Uint8Array): Uint8Array {
    if (!this.timestamps) return message;
    const head = new TextDecoder('latin1').decode(message.subarray(0, 40));
    const match = TIMESTAMP.exec(head);
    return match ? message.subarray(match[0].length) : message;
  }

  private finish(channel: LogChannel, line: string): ParsedLine {
    const stamped = this.timestamps ? parseTimestamp(line) : null;
    return stamped ? { channel, ...stamped } : { channel, timestamp: null, text: line };
  }
}
