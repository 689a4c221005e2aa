import { describe, expect, it } from 'vitest';
import type { PublishedPort } from '../../../generated/api/types.gen';
import { mcpSnippets } from './clients';
import {
  clientName,
  cursorLink,
  KEY_PLACEHOLDER,
  mcpPorts,
  mcpUrl,
  pathFault,
  serverJson,
  vsCodeLink,
} from './install';

const HOSTILE = '"; rm -rf ~ #\n<script>${input:x}</script> ¥'.repeat(100);
const server = { name: 'notes', url: 'https://app-8080.cvm.example.org/mcp' };

describe('install links', () => {
  it('give Cursor the address and a placeholder for the key', () => {
    const { protocol, pathname, searchParams } = new URL(cursorLink(server));
    expect([protocol, pathname, searchParams.get('name')]).toEqual(['cursor:', '/mcp/install', 'notes']);
    expect(JSON.parse(atob(searchParams.get('config') ?? ''))).toEqual({
      url: server.url,
      headers: { Authorization: `Bearer ${KEY_PLACEHOLDER}` },
    });
  });

  it('let VS Code prompt for the key', () => {
    const link = vsCodeLink(server);
    expect(link).toMatch(/^vscode:mcp\/install\?[A-Za-z0-9%._~!'()*-]+$/);
    expect(JSON.parse(decodeURIComponent(link.slice('vscode:mcp/install?'.length)))).toEqual({
      name: 'notes',
      type: 'http',
      url: server.url,
      headers: { Authorization: 'Bearer ${input:notes-key}' },
      inputs: [{ type: 'promptString', id: 'notes-key', description: 'Key for notes', password: true }],
    });
  });
});

describe('server.json', () => {
  const file = (more: Partial<Parameters<typeof serverJson>[0]> = {}) =>
    JSON.parse(
      serverJson({ ...server, title: 'Notes', description: 'Keeps notes.', version: '1.2.0', ...more }),
    ) as Record<string, unknown>;

  it('describes the server in the registry’s format', () => {
    expect(file()).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'org.example.cvm.app-8080/notes',
      title: 'Notes',
      description: 'Keeps notes.',
      version: '1.2.0',
      remotes: [
        {
          type: 'streamable-http',
          url: server.url,
          headers: [
            expect.objectContaining({
              name: 'Authorization',
              isRequired: true,
              isSecret: true,
              value: 'Bearer {key}',
            }),
          ],
        },
      ],
    });
  });

  it('stays within the registry’s limits whatever the server returns', () => {
    const hostile = file({ title: HOSTILE, description: HOSTILE, version: HOSTILE });
    expect(String(hostile.title).length).toBeLessThanOrEqual(100);
    expect(String(hostile.description).length).toBeLessThanOrEqual(100);
    expect(hostile.version).toBe('0.0.0');
    for (const version of ['latest', '^1.2.0', '1.x', '>=1', ''])
      expect(file({ version }).version).toBe('0.0.0');
    expect(file({ version: '2.0.0-rc.1+build' }).version).toBe('2.0.0-rc.1+build');
    expect(file({ title: null, description: ' ' })).toMatchObject({ description: 'MCP server notes' });
  });
});

it('names servers so that no shell or file needs quotes', () => {
  expect(clientName('notes-app')).toBe('notes-app');
  expect(clientName(HOSTILE)).toMatch(/^[A-Za-z0-9-]{1,63}$/);
  expect(clientName('…')).toBe('mcp-server');
  const [claude] = mcpSnippets({ ...server, name: clientName(HOSTILE), key: KEY_PLACEHOLDER });
  expect(claude?.code).toMatch(
    /^claude mcp add --transport http [A-Za-z0-9-]+ https:\/\/\S+ --header "[^"]+"$/,
  );
});

it('keeps the address on the app’s own host', () => {
  const base = 'http://app-8080.cvm.localhost:41000';
  expect(mcpUrl(base, '/mcp')).toBe(`${base}/mcp`);
  expect(mcpUrl(base, '//elsewhere.example/mcp')).toBe(`${base}//elsewhere.example/mcp`);
  for (const path of ['mcp', '/a?b', '/a#b', '/ü', '/a b', `/${'a'.repeat(200)}`, '']) {
    expect(pathFault(path)).toBeDefined();
    expect(mcpUrl(base, path)).toBe(`${base}/mcp`);
  }
});

it('offers published ports, those of MCP services first', () => {
  const port = (service: string, at: number | null, change: Partial<PublishedPort> = {}): PublishedPort => ({
    service,
    container_port: at,
    port: at,
    protocol: 'tcp',
    reach: 'public',
    line: 1,
    endpoints: [{ form: 'http', app: `https://app-${at}.example.org`, instance: null }],
    ...change,
  });
  const ports = [
    port('web', 80),
    port('notes-mcp', 8080),
    port('notes-mcp', 8080),
    port('debug', 9000, { reach: 'loopback' }),
    port('raw', 9001, { endpoints: [] }),
    port('some', null),
  ];
  expect(mcpPorts(ports)).toEqual([
    { port: 8080, service: 'notes-mcp', url: 'https://app-8080.example.org' },
    { port: 80, service: 'web', url: 'https://app-80.example.org' },
  ]);
});
