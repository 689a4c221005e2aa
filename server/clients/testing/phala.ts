import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../root';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface PhalaOptions {
  /** PHALA_CLOUD_API_KEY; null to use only what `phala login` saved. */
  key?: string | null;
  /** Overrides the server's base URL. */
  prefix?: string;
  /** Called with all of stderr so far whenever it grows. */
  onStderr?: (all: string) => void;
}

/** The published `phala` command with its own home folder and one project folder. */
export interface Phala {
  (command: string, options?: PhalaOptions): Promise<Ran>;
  /** Runs the command, fails the test with its output unless it exits with 0, and parses stdout as JSON. */
  json<T = Record<string, unknown>>(command: string, options?: PhalaOptions): Promise<T>;
  /** Reads or writes a file in the project folder. */
  read(name: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
  /** What `phala login` saved. */
  credentials(): Promise<{
    current_profile: string;
    profiles: Record<string, { api_prefix: string; token: string }>;
  }>;
  remove(): Promise<void>;
}

const BIN = join(ROOT, 'node_modules/.bin/phala');
/** A command mostly waits for the server, and the test machine may be busy. */
const LIMIT_MS = 150_000;

export async function installPhala(prefix: string, key: string): Promise<Phala> {
  const home = await mkdtemp(join(tmpdir(), 'teehouse-phala-'));
  const project = join(home, 'p');
  const cloud = join(home, '.pc');
  await mkdir(project);

  const run = (command: string, options: PhalaOptions = {}): Promise<Ran> => {
    const token = options.key === undefined ? key : options.key;
    return spawned(command.split(' '), project, options.onStderr, {
      PATH: process.env['PATH'],
      HOME: home,
      PHALA_CLOUD_DIR: cloud,
      PHALA_CLOUD_API_PREFIX: options.prefix ?? prefix,
      PHALA_DISABLE_UPDATE_CHECK: '1',
      CI: '1',
      NO_COLOR: '1',
      ...(token === null ? {} : { PHALA_CLOUD_API_KEY: token }),
    });
  };
  return Object.assign(run, {
    json: async <T>(command: string, options?: PhalaOptions) => {
      const ran = await run(command, options);
      if (ran.code !== 0) throw new Error(`phala ${command}: ${JSON.stringify(ran, null, 1)}`);
      return jsonOf<T>(ran);
    },
    read: (name: string) => readFile(join(project, name), 'utf8'),
    write: (name: string, text: string) => writeFile(join(project, name), text),
    credentials: async () => JSON.parse(await readFile(join(cloud, 'credentials.json'), 'utf8')),
    remove: () => rm(home, { recursive: true, force: true }),
  });
}

/** The object on stdout; `deploy --json` prints a line of text before it. */
export function jsonOf<T = Record<string, unknown>>(ran: Ran): T {
  const start = ran.stdout.search(/^\{/m);
  if (start < 0) throw new Error(`no JSON on stdout: ${JSON.stringify(ran, null, 1)}`);
  return JSON.parse(ran.stdout.slice(start)) as T;
}

function spawned(
  args: string[],
  cwd: string,
  onStderr: PhalaOptions['onStderr'],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(BIN, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => (stdout += more));
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      stderr += more;
      onStderr?.(stderr);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
