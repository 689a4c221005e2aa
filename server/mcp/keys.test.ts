import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_KEYS, refusedLists, SECRET_PART } from '../../console/lib/mcp/own/testing/keyLists';
import { keysFrom } from './keys';
import { exitOf, KEY, startProgram, stopPrograms } from './testing/programs';

const ALICE = 'alice-0123456789abcdef';
const CI = 'ci-0123456789/+=~._-';
const MCP_KEYS = `alice:${ALICE},\n ci:${CI}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'teehouse-mcp-keys-'));
});
afterAll(async () => {
  stopPrograms();
  await rm(folder, { recursive: true, force: true });
});

async function connect(url: URL, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}
const list = (url: URL, key: string) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

interface Use {
  name: string;
  requests: number;
  refused: number;
  last_used: string | null;
  days: { requests: number }[];
  tools: { name: string; calls: number; failed: number }[];
}
async function usage(url: URL, key: string): Promise<Use & { since: string; keys: Use[] }> {
  const reply = await fetch(new URL('/usage', url), { headers: { authorization: `Bearer ${key}` } });
  return (await reply.json()) as Use & { since: string; keys: Use[] };
}

it('counts usage by key, and shows all usage only to the owner’s', async () => {
  const { url } = await startProgram('mcp-memory', folder, { MCP_KEYS });
  const [alice, ci] = [await connect(url, ALICE), await connect(url, CI)];
  for (const client of [alice, alice, ci])
    await client.callTool({ name: 'search_notes', arguments: { words: 'oolong' } });
  await ci.callTool({ name: 'forget', arguments: { id: 'none' } });
  const all = await usage(url, KEY);
  expect(all).toMatchObject({ name: 'default', requests: 0, last_used: null });
  expect(all.keys).toMatchObject([
    { name: 'default', requests: 0, last_used: null, days: [], tools: [] },
    { name: 'alice', refused: 0, tools: [{ name: 'search_notes', calls: 2, failed: 0 }] },
    {
      name: 'ci',
      refused: 0,
      tools: [
        { name: 'search_notes', calls: 1, failed: 0 },
        { name: 'forget', calls: 1, failed: 1 },
      ],
    },
  ]);
  for (const { requests, days, last_used } of all.keys.slice(1)) {
    expect(days.reduce((sum, day) => sum + day.requests, 0)).toBe(requests);
    expect(Date.parse(last_used ?? '')).toBeGreaterThanOrEqual(Date.parse(all.since));
  }
  const own = await usage(url, ALICE);
  expect(own).toMatchObject({ name: 'alice', tools: [{ name: 'search_notes', calls: 2 }] });
  expect(own.keys.map(({ name }) => name)).toEqual(['alice']);
  for (const secret of [KEY, ALICE, CI, 'oolong']) expect(JSON.stringify([all, own])).not.toContain(secret);
  for (const wrong of [`alice:${ALICE}`, 'alice', ALICE.slice(1), `${KEY},${ALICE}`])
    expect((await list(url, wrong)).status, wrong).toBe(401);
});

it('limits each key separately', async () => {
  const { url } = await startProgram('mcp-memory', folder, { MCP_KEYS, MCP_REQUESTS_PER_MINUTE: '2' });
  let status = 0;
  // A minute boundary may fall in between.
  for (let sent = 0; status !== 429 && sent < 20; sent += 1) ({ status } = await list(url, ALICE));
  expect(status).toBe(429);
  for (const key of [KEY, CI]) expect((await list(url, key)).status).toBe(200);
  const { keys } = await usage(url, KEY);
  expect(keys.map(({ name, refused }) => [name, refused])).toEqual([
    ['default', 0],
    ['alice', 1],
    ['ci', 0],
  ]);
});

it('has one key without a list, and at most 32', () => {
  expect([...keysFrom({ MCP_KEY: KEY })]).toEqual([['default', KEY]]);
  // Earlier versions allowed any 16 characters as the key.
  expect([...keysFrom({ MCP_KEY: 'a key, with: others', MCP_KEYS: ' ,\n' }).keys()]).toEqual(['default']);
  expect([...keysFrom({ MCP_KEY: KEY, MCP_KEYS: MAX_KEYS }).keys()]).toHaveLength(32);
});

it.each(refusedLists(KEY))(
  'refuses a list with %s, with an error that contains no key',
  (_what, value, message) => {
    let said = '';
    try {
      keysFrom({ MCP_KEY: KEY, MCP_KEYS: value });
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(message);
    expect(said).not.toContain(SECRET_PART);
    expect(said).not.toContain(KEY);
  },
);

it('a program with a faulty list doesn’t start, and prints no key', async () => {
  const { code, said } = await exitOf('mcp-files', { MCP_KEY: KEY, MCP_KEYS: `alice:${ALICE},${CI}` });
  expect(code).not.toBe(0);
  expect(said).toContain('Entry 2 of MCP_KEYS must be written as name:key.');
  for (const secret of [KEY, ALICE, CI]) expect(said).not.toContain(secret);
});
