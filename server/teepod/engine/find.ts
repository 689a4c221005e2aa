/** Finds a responding Docker engine and a Compose command for it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DockerApi } from './dockerApi';

const run = promisify(execFile);

export interface FoundDocker {
  /** Unix socket path, or `tcp://host:port`. */
  socket: string;
  /** The Compose command, v2 preferred: `["docker","compose"]`, `["/…/docker-compose"]`. */
  compose: string[];
  composeVersion: string;
  engineVersion: string;
}

/** Never throws; `reason` explains in one sentence why no engine is usable. */
export async function findDocker(): Promise<FoundDocker | { reason: string }> {
  let reason =
    'no Docker engine is responding (tried DOCKER_HOST, the current docker context and /var/run/docker.sock)';
  for (const socket of await dockerSockets()) {
    const api = new DockerApi(socket);
    try {
      const version = await api.version();
      const compose = await findCompose();
      if (compose) return { socket, ...compose, engineVersion: version };
      reason = 'a Docker engine is running, but neither `docker compose` nor `docker-compose` is installed';
    } catch {
      continue;
    }
  }
  return { reason };
}

/** The addresses to try, in order: existing sockets, or only DOCKER_HOST if it is set. */
export async function dockerSockets(): Promise<string[]> {
  const list: string[] = [];
  const env = process.env['DOCKER_HOST'];
  if (env) {
    if (env.startsWith('unix://')) list.push(env.slice('unix://'.length));
    else if (env.startsWith('tcp://')) list.push(env);
    return list;
  }
  list.push('/var/run/docker.sock');
  const home = homedir();
  for (const path of ['.docker/run/docker.sock', '.colima/default/docker.sock', '.rd/docker.sock'])
    list.push(join(home, path));
  const runtime = process.env['XDG_RUNTIME_DIR'];
  if (runtime) list.push(join(runtime, 'docker.sock'));
  const context = await contextSocket(home);
  if (context !== undefined && !list.includes(context)) list.push(context);
  const present: string[] = [];
  for (const path of list) if (await exists(path)) present.push(path);
  return present;
}

/** Socket of the current docker context, as of Docker Desktop on Linux; undefined if it isn't on this machine. */
async function contextSocket(home: string): Promise<string | undefined> {
  const read = async <T>(file: string): Promise<T> =>
    JSON.parse(await readFile(join(home, '.docker', file), 'utf8')) as T;
  try {
    const { currentContext } = await read<{ currentContext?: string }>('config.json');
    const id = createHash('sha256')
      .update(currentContext ?? '')
      .digest('hex');
    const meta = join('contexts/meta', id, 'meta.json');
    const { Endpoints } = await read<{ Endpoints?: { docker?: { Host?: string } } }>(meta);
    return /^unix:\/\/(.+)$/.exec(Endpoints?.docker?.Host ?? '')?.[1];
  } catch {
    return undefined; // The default context has no file.
  }
}

/**
 * The Compose client runs with an empty DOCKER_CONFIG, so that the operator's registry logins and proxy
 * settings never reach a tenant's containers. It would not find per-user v2 plugins then, so plugin binaries
 * are called by path.
 */
async function findCompose(): Promise<{ compose: string[]; composeVersion: string } | undefined> {
  const plugins = [
    join(homedir(), '.docker/cli-plugins/docker-compose'),
    '/usr/local/lib/docker/cli-plugins/docker-compose',
    '/usr/local/libexec/docker/cli-plugins/docker-compose',
    '/usr/lib/docker/cli-plugins/docker-compose',
    '/usr/libexec/docker/cli-plugins/docker-compose',
  ];
  const tries: string[][] = [];
  for (const plugin of plugins) if (await exists(plugin)) tries.push([plugin]);
  tries.push(['docker', 'compose'], ['docker-compose']);
  for (const compose of tries) {
    const [command, ...args] = compose;
    if (!command) continue;
    try {
      const { stdout } = await run(command, [...args, 'version', '--short'], { timeout: 30_000 });
      const version = stdout.trim();
      if (/^v?\d+\.\d+/.test(version)) return { compose, composeVersion: version };
    } catch {
      continue;
    }
  }
  return undefined;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
