/** A team's own MCP servers, installed and run by the built-in host as the form deploys them. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  NEW_OWN_SERVER,
  OWN_RESOURCES,
  ownServerCompose,
  type OwnServer,
} from '../../console/lib/mcp/own/ownServer';
import { until } from './testing/client';
import { startDockerHost, type DockerHost } from './testing/dockerHost';
import { startRegistry, type PackageRegistry } from './testing/packageRegistry';
import { ensureProgramImage, type ProgramImage } from './testing/programImage';

const MCP_KEY = 'k'.repeat(40);
const VERSION = '1.4.2';

/** Answers MCP's lines on standard input. */
const NODE_NOTES = `#!/usr/bin/env node
import { createInterface } from 'node:readline';
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const results = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1.4.2' } }),
  'tools/list': () => ({ tools: [{ name: 'show', inputSchema: { type: 'object' } }] }),
  'tools/call': () => text({ args: process.argv.slice(2), greeting: process.env.GREETING, key: process.env.MCP_KEY ?? null }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]() }));
}
`;
const PYTHON_NOTES = `import json, os, sys

def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        shown = {"args": sys.argv[1:], "greeting": os.environ.get("GREETING"), "key": os.environ.get("MCP_KEY")}
        result = {
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1.4.2"}},
            "tools/list": {"tools": [{"name": "show", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": json.dumps(shown)}]},
        }[message["method"]]
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
`;
/** The same over HTTP, as an image's own program. */
const HTTP_NOTES = `import { createServer } from 'node:http';
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1.4.2' } },
  'tools/list': { tools: [{ name: 'show', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: JSON.stringify({ args: process.argv.slice(2), greeting: process.env.GREETING, key: process.env.MCP_KEY ?? null }) }] },
};
createServer(async (req, res) => {
  let body = '';
  for await (const part of req) body += part;
  const { id, method } = JSON.parse(body);
  if (id === undefined) return res.writeHead(202).end();
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
}).listen(8000);
`;

const own: OwnServer = { ...NEW_OWN_SERVER, version: VERSION, variables: ['GREETING'] };
const HOSTILE = ['$(touch x)', '${MCP_KEY}', '"\'`\\', '--', 'é 茶 🍵'];

let work: string;
let docker: DockerHost;
let registry: PackageRegistry;

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'teehouse-own-servers-'));
  await writeFile(path.join(work, 'server.mjs'), HTTP_NOTES);
  docker = await startDockerHost();
  registry = await startRegistry(
    { name: '@example/notes', version: VERSION, program: NODE_NOTES },
    { name: 'example-notes', version: VERSION, program: PYTHON_NOTES },
  );
}, 180_000);
afterAll(async () => {
  await docker?.close();
  await registry?.close();
  await rm(work, { recursive: true, force: true });
}, 120_000);

/** Node with npm, from this machine. */
async function nodeImage(): Promise<ProgramImage> {
  const { stdout } = await promisify(execFile)('npm', ['root', '-g']);
  return {
    name: 'node-npm',
    copies: {
      '/usr/local/bin/node': process.execPath,
      '/usr/local/lib/node_modules/npm': path.join(stdout.trim(), 'npm'),
    },
    links: {
      '/usr/local/bin/npm': '../lib/node_modules/npm/bin/npm-cli.js',
      '/usr/bin/env': '/bin/busybox',
    },
    programs: ['/usr/local/bin/node'],
  };
}

/** Debian's Python with pip. */
const PYTHON: ProgramImage = {
  name: 'python',
  packages: `python3.11-minimal libpython3.11-minimal libpython3.11-stdlib python3-pip python3-setuptools
    python3-pkg-resources python3-distutils python3-wheel libffi8 libssl3 libexpat1 zlib1g libbz2-1.0 liblzma5 libuuid1`.split(
    /\s+/,
  ),
  links: { '/usr/bin/python': 'python3.11' },
  programs: ['/usr/bin/python3.11'],
};

/** The digest names the published image. Everything else runs as the form deploys it. */
async function deploy(own: OwnServer, images: { bridge: ProgramImage; server: ProgramImage }) {
  const file = parseDocument(ownServerCompose(own));
  for (const [service, image] of Object.entries(images))
    file.setIn(['services', service, 'image'], await ensureProgramImage(docker.host, image));
  const app_id = randomBytes(20).toString('hex');
  const values = { MCP_KEY, GREETING: 'Good morning', ...registryVariables() };
  const names = ['MCP_KEY', ...own.variables];
  const pairs = Object.entries(values)
    .filter(([key]) => names.includes(key))
    .map(([key, value]) => ({ key, value }));
  const vm = await docker.client.create(
    file.toString({ lineWidth: 0 }),
    { app_id, encrypted_env: await docker.client.seal(app_id, pairs), memory: OWN_RESOURCES.memory_mb },
    { allowed_envs: names },
  );
  const { boot_error, instance_id } = await docker.client.booted(vm);
  expect(boot_error).toBe('');
  if (instance_id === null) throw new Error('the VM has no instance ID');
  await isHealthy(instance_id);
  return { vm, instance_id };
}

const registryVariables = () => ({
  npm_config_registry: registry.url,
  PIP_INDEX_URL: `${registry.url}simple/`,
  PIP_TRUSTED_HOST: registry.host,
});

/** The bridge is healthy once it can connect to the server. */
const isHealthy = (instance_id: string) =>
  until(
    'the server to be ready',
    async () => ((await docker.get(instance_id, 8080, '/health')).status === 200 ? true : undefined),
    120_000,
  );

/** Begins a session, and calls the tool. */
async function show(instance_id: string): Promise<unknown> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${MCP_KEY}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const send = async (method: string, params: unknown, id?: number) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, ...(id === undefined ? {} : { id }) });
    const reply = await docker.get(instance_id, 8080, '/mcp', { body, headers });
    expect(reply.status, reply.body).toBeLessThan(300);
    const session = reply.headers['mcp-session-id'];
    if (typeof session === 'string') headers['mcp-session-id'] = session;
    return reply.body;
  };
  const clientInfo = { name: 'test', version: '1' };
  await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 1);
  await send('notifications/initialized', {});
  const body = await send('tools/call', { name: 'show', arguments: {} }, 2);
  const json = body.includes('data:') ? body.slice(body.indexOf('data:') + 5) : body;
  const { result } = JSON.parse(json) as { result: { content: { text: string }[] } };
  return JSON.parse(result.content[0]?.text ?? 'null');
}

describe('an own MCP server', () => {
  const shown = { args: HOSTILE, greeting: 'Good morning', key: null };

  test.concurrent('from npm is installed, answers, and restarts without the registry', async () => {
    const node = await nodeImage();
    const variables = ['GREETING', 'npm_config_registry'];
    const server: OwnServer = { ...own, name: '@example/notes', args: HOSTILE, variables };
    const { vm, instance_id } = await deploy(server, { bridge: node, server: node });
    expect(await show(instance_id)).toEqual(shown);
    const refused = await docker.get(instance_id, 8080, '/mcp', { body: '{}', headers: {} });
    expect(refused.status).toBe(401);

    await docker.client.rpc('StopVm', { id: vm });
    await docker.client.status(vm, 'stopped');
    await docker.client.rpc('StartVm', { id: vm });
    await docker.client.status(vm, 'running');
    await isHealthy(instance_id);
    expect(await show(instance_id)).toEqual(shown);
    expect(registry.requests.filter((url) => url === '/package.tgz')).toHaveLength(1);
  });

  test.concurrent('from PyPI is installed and answers', async () => {
    const variables = ['GREETING', 'PIP_INDEX_URL', 'PIP_TRUSTED_HOST'];
    const server: OwnServer = { ...own, source: 'pypi', name: 'example-notes', args: HOSTILE, variables };
    const { instance_id } = await deploy(server, { bridge: await nodeImage(), server: PYTHON });
    expect(await show(instance_id)).toEqual(shown);
  });

  test.concurrent('in an image answers over HTTP', async () => {
    const image = `registry.example/notes@sha256:${'0'.repeat(64)}`;
    const server: OwnServer = {
      ...own,
      source: 'image',
      image,
      transport: 'http',
      version: '',
      args: HOSTILE,
    };
    const node = await nodeImage();
    const notes: ProgramImage = {
      ...node,
      name: 'notes',
      copies: { ...node.copies, '/server.mjs': path.join(work, 'server.mjs') },
      changes: ['ENTRYPOINT ["/usr/local/bin/node", "/server.mjs"]'],
    };
    const { instance_id } = await deploy(server, { bridge: node, server: notes });
    expect(await show(instance_id)).toEqual(shown);
  });
});
