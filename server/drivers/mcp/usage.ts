import * as z from 'zod';
import type { McpUsage } from '../../../generated/api/types.gen';
import { listOf } from '../../domain/ai/boundedLists';
import { OutboundError, type Outbound } from '../net';
import { McpError, type McpAddress } from '.';

const WAIT_MS = 10_000;
/** More than 32 keys with 100 tools each take. */
const MAX_BYTES = 1024 * 1024;
const MAX_TOOLS = 200;

const count = z.int().min(0).max(1e12);
const time = z.iso.datetime().max(40);
const day = z.object({ date: z.iso.date(), requests: count, refused: count });
const tool = z.object({
  name: z.string().min(1).max(128),
  calls: count,
  failed: count,
  total_ms: z.int().min(0).max(1e15),
});
const use = z.object({
  requests: count,
  refused: count,
  last_used: time.nullish(),
  days: listOf(day, { most: 30 }),
  tools: listOf(tool, { most: 1_000 }).transform((tools) => tools.slice(0, MAX_TOOLS)),
});
const named = use.extend({ name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/) });
/** Programs with a single key only report that key's usage. */
const reply = use.extend({
  since: time,
  requests_per_minute: count.min(1),
  keys: listOf(named, { most: 32 }).optional(),
});

/** Queries a server from a template or behind the bridge. @throws McpError */
export async function readUsage(
  net: Outbound,
  { url, host, key }: McpAddress,
  signal: AbortSignal,
): Promise<McpUsage> {
  const response = await net
    .fetch(new URL(url), {
      headers: {
        accept: 'application/json',
        ...(host === undefined ? {} : { host }),
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      timeout_ms: WAIT_MS,
      max_bytes: MAX_BYTES,
      signal,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      if (error.kind === 'too_large') throw noUsage(error);
      throw new McpError('unreachable', error.message, { cause: error });
    });
  if (response.status === 401 || response.status === 403)
    throw new McpError('key', 'The MCP server rejects requests without its key.');
  const body: unknown = await response.json().catch(() => null);
  const { data } = reply.safeParse(body);
  if (!response.ok || data === undefined) throw noUsage();
  const { since, requests_per_minute, keys = [{ ...data, name: 'default' }] } = data;
  return {
    since,
    requests_per_minute,
    keys: distinct(keys, ({ name }) => name).map(({ name, requests, refused, last_used, days, tools }) => ({
      name,
      requests,
      refused,
      last_used_at: last_used ?? null,
      days: distinct(days, ({ date }) => date),
      tools: distinct(tools, (one) => one.name),
    })),
  };
}

/** Keeps the first item of each name. */
function distinct<T>(list: readonly T[], nameOf: (one: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const one of list) if (!byName.has(nameOf(one))) byName.set(nameOf(one), one);
  return [...byName.values()];
}

const noUsage = (cause?: OutboundError) =>
  new McpError('no_usage', "The server doesn't report key usage.", { cause });
