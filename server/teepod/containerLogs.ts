/** The guest agent's log endpoint: parses the query and formats lines as requested. */
import { stripVTControlCharacters } from 'node:util';
import type { EngineContainer, LogQuery } from './engine/types';
import type { Manager } from './manager';
import { RpcError } from './wire';

const DEFAULT_TAIL = 1000;

/** RFC 3339, seconds since 1970, or an age such as `10m` → seconds since 1970; 0 = unset. */
function parseMoment(value: string | null, now = Date.now()): number {
  if (value === null || value === '') return 0;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const parts = [...value.matchAll(/(\d+)([smhd])/g)];
  if (parts.length > 0 && parts.map(([whole]) => whole).join('') === value) {
    const unit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
    return (
      now / 1000 - parts.reduce((sum, [, count, name]) => sum + Number(count) * (unit[name ?? 's'] ?? 1), 0)
    );
  }
  const time = /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new RpcError('Invalid time: use RFC 3339 or an age such as 10m');
  return time / 1000;
}

/** A flag is on if present, unless its value is false. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && !['false', '0', 'no', 'off'].includes(value);
}

export function parseLogQuery(query: URLSearchParams): LogQuery {
  const tail = query.get('tail') ?? String(DEFAULT_TAIL);
  if (tail !== 'all' && !/^\d{1,9}$/.test(tail)) throw new RpcError('Invalid tail: use a number or all');
  return {
    follow: flag(query, 'follow'),
    timestamps: flag(query, 'timestamps'),
    tail: tail === 'all' ? -1 : Number(tail),
    since: parseMoment(query.get('since')),
    until: parseMoment(query.get('until')),
  };
}

/**
 * NDJSON `{channel, message}` with the message in base64 (`text`: as text), or with `bare` the lines
 * themselves.
 */
export async function* containerLogs(
  manager: Manager,
  container: EngineContainer,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  const [text, bare, ansi] = [flag(query, 'text'), flag(query, 'bare'), flag(query, 'ansi')];
  for await (const { channel, message } of manager.engine.logs(container, parseLogQuery(query), signal)) {
    if (bare && ansi) yield message;
    else if (bare) yield stripVTControlCharacters(message.toString('utf8'));
    else if (text) yield `${JSON.stringify({ channel, message: readable(message, ansi) })}\n`;
    else yield `${JSON.stringify({ channel, message: base64(message, ansi) })}\n`;
  }
}

function readable(message: Buffer, ansi: boolean): string {
  const text = message.toString('utf8');
  return ansi ? text : stripVTControlCharacters(text);
}

/** Bytes that are not UTF-8 pass unchanged: only lines with an escape are rewritten. */
function base64(message: Buffer, ansi: boolean): string {
  if (ansi || !message.includes(0x1b)) return message.toString('base64');
  return Buffer.from(stripVTControlCharacters(message.toString('utf8'))).toString('base64');
}
