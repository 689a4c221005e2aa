import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, realpathSync, closeSync, openSync } from 'node:fs';
import { chown, mkdir, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Binaries } from './binaries';
import type { Place, RunAs } from './place';

/**
 * Starts, supervises and stops one PostgreSQL. Launch line, signals and files: PostgreSQL manual, chapters 18
 * and 19.
 */

export const SUPERUSER = 'teehouse';
/** Crash recovery replays the log since the last checkpoint; at default sizes that takes well under a minute. */
const READY_MS = 180_000;
const STOP_MS = 60_000;
const MAX_LOG = 10_000_000;

export interface Postmaster {
  pid: number;
  /** Resolves when the process exits, for any reason. */
  ended: Promise<void>;
  /** Fast shutdown: open transactions roll back, committed data is on disk. */
  stop(): Promise<void>;
}

/** Creates the data directory if there is none. When killed midway, it leaves nothing that looks complete. */
export async function initialize({ bin, major }: Binaries, { data, runAs }: Place): Promise<void> {
  if (existsSync(path.join(data, 'PG_VERSION'))) return;
  const draft = `${data}.${randomBytes(6).toString('hex')}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  if (runAs) await chown(draft, runAs.uid, runAs.gid);
  // Prefers PostgreSQL's builtin collation: an update of the C library can't change the order of an index.
  const locale =
    major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : [`--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`];
  const args = [
    '-D',
    draft,
    '-U',
    SUPERUSER,
    '--auth=trust',
    '--encoding=UTF8',
    '--no-instructions',
    ...locale,
  ];
  const child = launch(path.join(bin, 'initdb'), args, runAs, ['ignore', 'pipe', 'pipe']);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const code = await ended(child);
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(
      `Could not create the database directory ${data}: ${lastLines(output) || `initdb ended with ${code}`}`,
    );
  }
  await rename(draft, data);
}

/** Starts PostgreSQL and waits until it takes connections. */
export async function startPostmaster(
  { bin }: Binaries,
  { data, sockets, runAs }: Place,
  logFile: string,
): Promise<Postmaster> {
  for (let attempt = 0; ; attempt++) {
    const from = await rotate(logFile);
    const fd = openSync(logFile, 'a', 0o600);
    const child = launch(path.join(bin, 'postgres'), ['-D', data, ...settings(sockets)], runAs, [
      'ignore',
      fd,
      fd,
    ]);
    closeSync(fd);
    const gone = ended(child);
    const code = await Promise.race([gone, ready(data, child)]);
    if (code === 'ready') return supervise(child, gone);
    const said = await tail(logFile, from);
    // Backends of a killed postmaster notice within moments; until then they hold the shared memory.
    if (/shared memory block .* is still in use/.test(said) && attempt < 100) {
      await wait(200);
      continue;
    }
    if (code === 'late') child.kill('SIGQUIT');
    throw new Error(
      `PostgreSQL did not start (${code === 'late' ? `not ready after ${READY_MS / 1000} s` : `ended with ${code}`}): ${lastLines(said) || `see ${logFile}`}`,
    );
  }
}

/**
 * Stops a PostgreSQL that an earlier owner left running in `data`. A server killed with -9 takes its PostgreSQL
 * along (pdeathsig), but that still writes its last checkpoint; the files are free once it exits.
 */
export async function settlePrevious(data: string): Promise<void> {
  const pid = await runningPid(data);
  if (pid === undefined) {
    // A stale file with the ID of an unrelated live process would stop PostgreSQL from starting (containers
    // reuse IDs).
    await rm(path.join(data, 'postmaster.pid'), { force: true });
    return;
  }
  for (const [signal, ms] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ] as const) {
    signalPid(pid, signal);
    const deadline = Date.now() + ms;
    while (Date.now() < deadline) {
      if ((await runningPid(data)) !== pid) return;
      await wait(20);
    }
  }
  throw new Error(`PostgreSQL process ${pid} is still using ${data} and doesn’t exit.`);
}

/** Returns the process ID of the PostgreSQL running on `data`; a stale postmaster.pid does not count. */
export async function runningPid(data: string): Promise<number | undefined> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  if (process.platform === 'linux') {
    // PostgreSQL's working directory is its data directory.
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return cwd !== undefined && cwd === realpathSync(data) ? pid : undefined;
  }
  return signalPid(pid, 0) ? pid : undefined;
}

function settings(sockets: string): string[] {
  const values: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '120',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // JIT compilation costs more than our short queries take.
    jit: 'off',
    // Statements and row contents can hold data that must not be logged.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] ',
  };
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/**
 * Launches a process that dies with this one and holds no privileges. Detached, so that Ctrl-C in a terminal
 * reaches the server, which drains first, and not PostgreSQL. Its environment is empty, because it needs none
 * of our secrets.
 */
function launch(
  file: string,
  args: string[],
  runAs: RunAs | undefined,
  stdio: ('ignore' | 'pipe' | number)[],
): ChildProcess {
  const options = { stdio, detached: true, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
  const setpriv = findSetpriv();
  if (!setpriv) return spawn(file, args, { ...options, ...runAs });
  const who = runAs ? ['--reuid', `${runAs.uid}`, '--regid', `${runAs.gid}`, '--clear-groups'] : [];
  return spawn(setpriv, [...who, '--pdeathsig', 'SIGINT', '--no-new-privs', file, ...args], options);
}

/** Requires util-linux's setpriv; BusyBox's can't change the user. */
function findSetpriv(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return ['/usr/bin/setpriv', '/bin/setpriv'].find(
    (file) => existsSync(file) && !realpathSync(file).includes('busybox'),
  );
}

function supervise(child: ChildProcess, gone: Promise<unknown>): Postmaster {
  return {
    pid: child.pid!,
    ended: gone.then(() => undefined),
    async stop() {
      for (const [signal, ms] of [
        ['SIGINT', STOP_MS],
        ['SIGQUIT', 10_000],
      ] as const) {
        child.kill(signal);
        const timer = new AbortController();
        const done = await Promise.race([
          gone.then(() => true),
          wait(ms, false, { signal: timer.signal }).catch(() => false),
        ]);
        timer.abort();
        if (done) return;
      }
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** postmaster.pid's eighth line is its state (miscadmin.h, LOCK_FILE_LINE_PM_STATUS). */
async function ready(data: string, child: ChildProcess): Promise<'ready' | 'late'> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const lines = (await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return 'ready';
    await wait(10);
  }
  return 'late';
}

function ended(child: ChildProcess): Promise<string | number> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}

function signalPid(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Keeps one older log. Returns where new lines start. */
async function rotate(logFile: string): Promise<number> {
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  if (size < MAX_LOG) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

async function tail(file: string, from: number): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return '';
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(16_384), 0, 16_384, from);
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await handle.close();
  }
}

const lastLines = (text: string) => text.trim().split('\n').slice(-6).join('\n');
