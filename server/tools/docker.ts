/**
 * Provides tests and development with a running Docker engine and images that need no internet. The test command uses
 * it before real-container tests, `npm run dev` on request. The server itself never starts an engine.
 */
import { execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findDocker } from '../teepod/engine/find';

const run = promisify(execFile);

export const BUSYBOX_IMAGE = 'localhost/teehouse-busybox:latest';
/** A local substitute for the image used by most Compose examples: busybox httpd on port 80. */
export const NGINX_IMAGE = 'nginx:alpine';

export interface DockerReady {
  /** Path of the engine's Unix socket, or a tcp:// address. */
  socket: string;
  compose: string[];
  /** True if this call started the engine. */
  started: boolean;
  /** Stops the engine, and with it its containers, if this call started it; otherwise does nothing. */
  stop(): Promise<void>;
}
export interface DockerMissing {
  reason: string;
}

/** Tries plain dockerd first, then with flags that work in a container without network privileges. */
const FLAG_SETS: readonly (readonly string[])[] = [
  [],
  ['--iptables=false', '--ip-masq=false'],
  ['--storage-driver=vfs', '--iptables=false', '--ip-masq=false'],
  ['--storage-driver=vfs', '--iptables=false', '--ip-masq=false', '--bridge=none'],
];

let shared: Promise<DockerReady | DockerMissing> | undefined;

/**
 * Uses a running engine, else starts `dockerd` as root. It starts detached, so that it outlives one test file and the
 * next one finds it; call `stop()` to stop it. Never throws: returns the reason if there is none.
 */
export function ensureDocker(): Promise<DockerReady | DockerMissing> {
  shared ??= ensure();
  return shared;
}

async function ensure(): Promise<DockerReady | DockerMissing> {
  const found = await findDocker();
  if ('socket' in found) return { ...ready(found), started: false, stop: async () => {} };
  if (process.platform !== 'linux')
    return { reason: `${found.reason}; an engine can only be started on Linux` };
  if (process.getuid?.() !== 0) return { reason: `${found.reason}; starting one needs root` };
  const dockerd = await firstExisting(['/usr/sbin/dockerd', '/usr/bin/dockerd', '/usr/local/bin/dockerd']);
  if (!dockerd)
    return {
      reason: `${found.reason}; dockerd is not installed (Debian: apt-get install docker.io docker-compose)`,
    };

  // Vitest runs files in separate processes: one of them starts the engine, the others wait for it.
  const lock = join(tmpdir(), 'teehouse-dockerd.lock');
  const mine = await takeLock(lock);
  if (!mine) {
    const other = await waitForEngine(Date.now() + 120_000);
    return other
      ? { ...other, started: false, stop: async () => {} }
      : { reason: 'another process was starting dockerd, which did not respond within 120 s' };
  }
  try {
    return await startEngine(dockerd);
  } finally {
    await rm(lock, { force: true });
  }
}

async function startEngine(dockerd: string): Promise<DockerReady | DockerMissing> {
  const logDir = await mkdtemp(join(tmpdir(), 'teehouse-dockerd-'));
  let tail = '';
  for (const flags of FLAG_SETS) {
    const logPath = join(logDir, `dockerd-${FLAG_SETS.indexOf(flags)}.log`);
    const log = await open(logPath, 'a');
    const child = spawn(dockerd, [...flags], { detached: true, stdio: ['ignore', log.fd, log.fd], cwd: '/' });
    let exited = false;
    child.once('exit', () => (exited = true));
    child.once('error', () => (exited = true));
    await log.close();
    const answer = await waitForEngine(Date.now() + 90_000, () => exited);
    if (answer && !exited) {
      child.unref();
      const stop = async () => {
        await stopChild(child.pid);
        await rm(logDir, { recursive: true, force: true });
      };
      return { ...answer, started: true, stop };
    }
    await stopChild(child.pid);
    tail = (await readFile(logPath, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join(' | ');
  }
  return { reason: `dockerd did not start with any known set of flags; log in ${logDir}: ${tail}` };
}

async function stopChild(pid: number | undefined): Promise<void> {
  if (!pid) return;
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      process.kill(pid, name);
      return true;
    } catch {
      return false;
    }
  };
  signal('SIGTERM');
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline && signal(0)) await pause(100);
  signal('SIGKILL');
}

async function waitForEngine(
  deadline: number,
  dead: () => boolean = () => false,
): Promise<Omit<DockerReady, 'started' | 'stop'> | undefined> {
  while (Date.now() < deadline && !dead()) {
    const found = await findDocker();
    if ('socket' in found) return ready(found);
    await pause(250);
  }
  return undefined;
}

function ready(found: { socket: string; compose: string[] }): { socket: string; compose: string[] } {
  return { socket: found.socket, compose: found.compose };
}

async function takeLock(path: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      const owner = Number(await readFile(path, 'utf8').catch(() => '0'));
      try {
        if (owner > 0) process.kill(owner, 0);
        else throw new Error('no owner');
        return false;
      } catch {
        await rm(path, { force: true }); // left by a dead process
      }
    }
  }
  return false;
}

/**
 * Builds the test images from this machine's busybox (`docker import`), so that nothing is pulled. Keeps existing
 * images. Throws if busybox-static is missing.
 */
export async function ensureTestImages(socket: string): Promise<void> {
  const docker = (args: string[]): Promise<unknown> =>
    run('docker', ['-H', hostOf(socket), ...args], { timeout: 120_000 });
  const exists = async (tag: string): Promise<boolean> =>
    docker(['image', 'inspect', tag]).then(
      () => true,
      () => false,
    );
  const [haveBusybox, haveNginx] = [await exists(BUSYBOX_IMAGE), await exists(NGINX_IMAGE)];
  if (haveBusybox && haveNginx) return;

  const busybox = await firstExisting(['/bin/busybox', '/usr/bin/busybox']);
  if (!busybox) throw new Error('busybox-static is not installed (Debian: apt-get install busybox-static)');
  const root = await mkdtemp(join(tmpdir(), 'teehouse-rootfs-'));
  try {
    for (const dir of ['bin', 'etc', 'tmp', 'root', 'var/www', 'proc', 'sys', 'dev'])
      await mkdir(join(root, dir), { recursive: true });
    await run('cp', [busybox, join(root, 'bin/busybox')]);
    const { stdout } = await run(busybox, ['--list']);
    for (const applet of stdout.split('\n').filter((name) => name && name !== 'busybox')) {
      await symlink('busybox', join(root, 'bin', applet)).catch(() => undefined);
    }
    await writeFile(
      join(root, 'etc/passwd'),
      'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n',
    );
    await writeFile(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
    await writeFile(
      join(root, 'var/www/index.html'),
      '<!doctype html><title>It works</title><h1>Hello from a container</h1>\n',
    );
    const tar = join(root, '..', `${root.split('/').pop()}.tar`);
    await run('tar', ['-C', root, '-cf', tar, '--owner=0', '--group=0', '.']);
    try {
      const path = 'ENV PATH=/bin';
      if (!haveBusybox)
        await docker(['import', '--change', path, '--change', 'CMD ["sh"]', tar, BUSYBOX_IMAGE]);
      if (!haveNginx) {
        // Logs requests to stdout, as nginx does, and exits immediately on a signal: process 1 without a handler
        // would delay every stop by its whole grace period.
        const serve = `CMD ["sh", "-c", "trap 'exit 0' TERM INT QUIT; httpd -f -v -p 80 -h /var/www 2>&1 & wait"]`;
        await docker([
          'import',
          '--change',
          path,
          '--change',
          'EXPOSE 80',
          '--change',
          serve,
          tar,
          NGINX_IMAGE,
        ]);
      }
    } finally {
      await rm(tar, { force: true });
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Returns a socket path or tcp:// address as `docker -H` expects it. */
function hostOf(socket: string): string {
  return socket.includes('://') ? socket : `unix://${socket}`;
}

async function firstExisting(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Removes tests' leftovers from the engine: containers and networks of one local teepod (its DATA_DIR/teepod/id). */
export async function removeTeepodContainers(socket: string, teepodId: string): Promise<void> {
  const run = promisify(execFile);
  const docker = async (...args: string[]) => {
    const host = socket.includes('://') ? socket : `unix://${socket}`;
    return (await run('docker', ['-H', host, ...args])).stdout.split('\n').filter(Boolean);
  };
  const label = `label=teehouse.teepod=${teepodId}`;
  const containers = await docker('ps', '-aq', '--filter', label);
  if (containers.length > 0) await docker('rm', '-f', ...containers);
  const networks = await docker('network', 'ls', '-q', '--filter', label);
  if (networks.length > 0) await docker('network', 'rm', ...networks);
}
