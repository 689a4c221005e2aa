import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { bin, runNode } from '../../tools/run';

const SUITE = bin('@modelcontextprotocol/conformance/dist/index.js');

/**
 * Expected failures, because the server isn't the suite's own example. Most scenarios call a tool of that
 * example, and ours offer only tools: a client that reads their capabilities requests nothing else.
 */
const OF_THE_EXAMPLE = [
  /Unknown tool: test_/,
  /Unknown method: (completion\/complete|logging\/setLevel|prompts\/\w+|resources\/\w+)$/,
  // Sessions are optional, and ours don't have them.
  /did not provide session ID/,
];
/** Scenarios every server must pass. */
const REQUIRED = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

export interface ConformanceProxy {
  /** URL of the server for the suite. */
  origin: string;
  /** Runs the server scenarios of the MCP conformance suite. @returns each one's failures, empty if it passed */
  conformance(server: URL, key: string): Promise<Record<string, string[]>>;
  /** Expects a server to pass those that don't need the suite's example server. */
  expectConformance(server: URL, key: string): Promise<void>;
  close(): void;
}

/** Starts a proxy that adds the key, which the suite can't send. */
export async function conformanceProxy(): Promise<ConformanceProxy> {
  let target: { server: URL; key: string } | null = null;
  const proxy = createServer((req, res) => {
    if (target === null) return void res.writeHead(503).end();
    const headers = { ...req.headers, authorization: `Bearer ${target.key}` };
    const onward = request(target.server, { method: req.method, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const conformance: ConformanceProxy['conformance'] = (server, key) => {
    target = { server, key };
    return runSuite(new URL(server.pathname, origin));
  };
  return {
    origin,
    conformance,
    async expectConformance(server, key) {
      const found = await conformance(server, key);
      const passed = Object.keys(found).filter((scenario) => found[scenario]?.length === 0);
      const wrong = Object.entries(found).map(([scenario, faults]) => [
        scenario,
        faults.filter((fault) => !OF_THE_EXAMPLE.some((known) => known.test(fault))),
      ]);
      expect(Object.fromEntries(wrong.filter(([, faults = []]) => faults.length > 0))).toEqual({});
      expect(passed).toEqual(expect.arrayContaining(REQUIRED));
    },
    close: () => void proxy.close(),
  };
}

/** @returns each scenario's failures, empty if it passed */
async function runSuite(url: URL): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'teehouse-conformance-'));
  try {
    // Exits with 1 if a scenario fails; the files contain the details.
    const { output } = await runNode([SUITE, 'server', '--url', url.href, '--output-dir', folder]);
    const names = await readdir(folder);
    const found: Record<string, string[]> = {};
    for (const [, scenario = ''] of output.matchAll(/=== Running scenario: (\S+) ===/g)) {
      const name = names.find((one) => one.startsWith(`server-${scenario}-2`));
      const text = name && (await readFile(path.join(folder, name, 'checks.json'), 'utf8'));
      found[scenario] = text === undefined ? ['the scenario broke off'] : faultsIn(text);
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Check {
  status: string;
  errorMessage?: string;
  details?: { message?: string };
}

const faultsIn = (text: string): string[] =>
  (JSON.parse(text) as Check[])
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ errorMessage, details }) => errorMessage ?? details?.message ?? JSON.stringify(details));
