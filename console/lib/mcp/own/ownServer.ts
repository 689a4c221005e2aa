import { Document, Scalar } from 'yaml';
import { hasLoneSurrogate } from '../../bytes';
import { KEY_ENVIRONMENT, NODE_IMAGE } from '../keyedService';
import { BRIDGE } from './bridge.gen';
import { LINES_PORT, NPM_RUNNER, PYPI_RUNNER } from './runners';
import { count, counted } from '../../texts/count';

/** The user's own MCP servers, from a package or an image, behind the bridge that holds the key. */

export type OwnSource = 'npm' | 'pypi' | 'image';
export type OwnTransport = 'stdio' | 'http';

export interface OwnServer {
  source: OwnSource;
  /** Package name; empty for an image. */
  name: string;
  /** Package version; empty for an image. */
  version: string;
  /** Image with its digest; empty for a package. */
  image: string;
  /** The package's program to run; empty for the one named like the package, or the only one. */
  program: string;
  /** Images support only HTTP, because nothing outside an image can start its program. */
  transport: OwnTransport;
  /** Port of an HTTP server. */
  port: string;
  path: string;
  /** Arguments of the program, or of the image's entrypoint. */
  args: readonly string[];
  /** Names of its environment variables. Their values are secrets. */
  variables: readonly string[];
}

export const NEW_OWN_SERVER: OwnServer = {
  source: 'npm',
  name: '',
  version: '',
  image: '',
  program: '',
  transport: 'stdio',
  port: '8000',
  path: '/mcp',
  args: [],
  variables: [],
};

/** Minimum size: each client session has a process, and a package manager runs at startup. */
export const OWN_RESOURCES = { vcpu: 1, memory_mb: 2048, disk_gb: 10 };

const LIMITS = { args: 64, args_chars: 16_000, variables: 64, variable_chars: 255 } as const;

/** The bridge's own settings; a user's server must not read its variables. */
const BRIDGE_PORT = 8080;
const BRIDGE_VARIABLES = Object.keys(KEY_ENVIRONMENT);

/** Not Alpine, because many packages have compiled parts only for glibc. */
const PYTHON_IMAGE =
  'python:3.13-slim@sha256:6771159cd4fa5d9bba1258caf0b82e6b73458c694d178ad97c5e925c2d0e1a91';

/** Patterns for the parts of a name or version, applied only after checking the length. */
const NPM_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
/** Semantic Versioning 2.0.0 without build metadata, which the registry ignores. */
const NPM_VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?$/;
const PYPI_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
/** PEP 440 without local versions, which the index doesn't have. */
const PYPI_VERSION = /^(?:\d+!)?\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?$/;
const IMAGE =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?@sha256:[0-9a-f]{64}$/;
const PROGRAM = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
const PATH = /^\/[A-Za-z0-9._~/-]{0,199}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Control characters, and characters that make text look different. */
const HIDDEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

type Faults = Partial<Record<keyof OwnServer, string>>;

/** Returns the fault of each entry; empty if the server can be deployed. */
export function ownServerFaults(own: OwnServer): Faults {
  const faults: Faults = {};
  const add = (field: keyof OwnServer, message: string | false) => {
    if (message !== false) faults[field] = message;
  };
  if (own.source === 'image') {
    add('image', imageFault(own.image));
    add('transport', own.transport !== 'http' && 'A server in an image must speak HTTP.');
  } else {
    add('name', nameFault(own.source, own.name));
    add('version', versionFault(own.source, own.version));
    add(
      'program',
      own.program !== '' &&
        !PROGRAM.test(own.program) &&
        'Enter a program’s name: up to 100 letters, digits, dots, hyphens and underscores.',
    );
  }
  if (own.transport === 'http') {
    const port = /^\d{1,5}$/.test(own.port) ? Number(own.port) : 0;
    add('port', (port < 1 || port > 65_535) && 'Enter a port from 1 to 65535.');
    add('path', !PATH.test(own.path) && 'Enter a path such as /mcp, without a query.');
  }
  add('args', argsFault(own.args));
  add('variables', variablesFault(own.variables));
  return faults;
}

function nameFault(source: 'npm' | 'pypi', name: string): string | false {
  if (name === '') return 'Enter the package’s name.';
  if (source === 'npm')
    return (
      (name.length > 214 || !NPM_NAME.test(name) || name === 'node_modules') &&
      'Enter an npm package name, such as @example/notes-mcp.'
    );
  return (
    (name.length > 214 || !PYPI_NAME.test(name)) &&
    'Enter a PyPI package name, such as notes-mcp, without extras.'
  );
}

function versionFault(source: 'npm' | 'pypi', version: string): string | false {
  const isExact = version.length <= 64 && (source === 'npm' ? NPM_VERSION : PYPI_VERSION).test(version);
  return !isExact && 'Enter an exact version such as 1.4.2: no range, no tag.';
}

function imageFault(image: string): string | false {
  if (image === '') return 'Enter an image.';
  if (!image.includes('@sha256:'))
    return 'Add the image’s digest (@sha256:…), so that the compose hash identifies the code.';
  return (
    (image.length > 400 || !IMAGE.test(image)) && 'Enter an image as [registry/]name[:tag]@sha256:digest.'
  );
}

function argsFault(args: readonly string[]): string | false {
  if (args.length > LIMITS.args) return `Enter at most ${counted(LIMITS.args, ['argument', 'arguments'])}.`;
  if (args.join('').length > LIMITS.args_chars)
    return `The arguments can have up to ${count(LIMITS.args_chars)} characters in total.`;
  return (
    args.some((one) => HIDDEN.test(one) || hasLoneSurrogate(one)) &&
    'An argument contains a hidden character.'
  );
}

function variablesFault(names: readonly string[]): string | false {
  if (names.length > LIMITS.variables)
    return `Enter at most ${counted(LIMITS.variables, ['name', 'names'])}.`;
  const invalid = names.find((name) => name.length > LIMITS.variable_chars || !VARIABLE.test(name));
  if (invalid !== undefined) return `“${invalid.slice(0, 40)}” isn’t a valid variable name.`;
  const taken = names.find((name) => BRIDGE_VARIABLES.includes(name));
  if (taken !== undefined) return `${taken} is reserved for the bridge.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice !== undefined && `${twice} is listed twice.`;
}

/**
 * Returns the Compose file: the bridge with the key, on port 8080, and the server, which only the bridge can reach
 * and which doesn't see the key. User input appears only in values, never in a program, a shell command or a key
 * other than a variable's name. @throws if {@link ownServerFaults} finds any
 */
export function ownServerCompose(own: OwnServer): string {
  const [fault] = Object.values(ownServerFaults(own));
  if (fault !== undefined) throw new Error(fault);
  const isImage = own.source === 'image';
  const upstream =
    own.transport === 'http' ? `http://server:${Number(own.port)}${own.path}` : `tcp://server:${LINES_PORT}`;
  const file = new Document({
    services: {
      bridge: {
        image: NODE_IMAGE,
        init: true,
        restart: 'unless-stopped',
        read_only: true,
        cap_drop: ['ALL'],
        environment: KEY_ENVIRONMENT,
        ports: [`${BRIDGE_PORT}:${BRIDGE_PORT}`],
        command: ['node', '--input-type=module', '--eval', program(BRIDGE), '--', verbatim(upstream)],
      },
      server: isImage ? imageService(own) : packageService(own),
    },
    ...(isImage ? {} : { volumes: { server: {} } }),
  });
  return file.toString({ lineWidth: 0 });
}

/** User, file system and capabilities are left to the image. */
const imageService = (own: OwnServer) => ({
  image: verbatim(own.image),
  restart: 'unless-stopped',
  ...environmentOf(own, {}),
  ...(own.args.length === 0 ? {} : { command: own.args.map(verbatim) }),
});

function packageService(own: OwnServer) {
  const start =
    own.source === 'npm'
      ? ['node', '--input-type=module', '--eval', program(NPM_RUNNER), '--']
      : ['python', '-I', '-c', program(PYPI_RUNNER)];
  return {
    image: own.source === 'npm' ? NODE_IMAGE : PYTHON_IMAGE,
    init: true,
    restart: 'unless-stopped',
    read_only: true,
    cap_drop: ['ALL'],
    ...environmentOf(own, {
      HOME: '/srv/data',
      ...(own.transport === 'http' ? { HOST: '0.0.0.0', PORT: String(Number(own.port)) } : {}),
    }),
    tmpfs: ['/tmp'],
    volumes: ['server:/srv'],
    command: [...start, ...[own.transport, own.name, own.version, own.program, ...own.args].map(verbatim)],
  };
}

function environmentOf({ variables }: OwnServer, defaults: Readonly<Record<string, string>>) {
  const environment = new Map<string, string>([
    ...Object.entries(defaults),
    ...variables.map((name) => [name, `\${${name}}`] as const),
  ]);
  return environment.size === 0 ? {} : { environment };
}

/** Compose reads `$$` as a dollar sign, and anything else after a dollar sign as a variable. */
const literal = (text: string) => text.replaceAll('$', () => '$$');

/** Quoted, because other YAML parsers don't read `1_000`, `0o7`, `12:30` or `2026-01-01` as text. */
function verbatim(text: string): Scalar<string> {
  const scalar = new Scalar(literal(text));
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function program(code: string): Scalar<string> {
  const scalar = new Scalar(literal(code));
  scalar.type = Scalar.BLOCK_LITERAL;
  return scalar;
}
