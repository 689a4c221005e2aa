import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDb, type Db } from '../db/core/client';
import { connectRunning, type OpenDatabase } from '../db/core/embedded';
import { OPEN_TO_ALL } from '../testing/openServer';
import { build } from '../tools/build';
import { freePort } from '../tools/postgres';
import { ROOT } from '../tools/run';

/** The benchmark's processes: the real server and its baselines. */

export interface Started {
  url: string;
  pid: number;
  dataDir: string;
  /** From process start to the first 200 of /readyz. */
  readyMs: number;
  /** The server's own configuration, for seeding. */
  database(): Promise<OpenDatabase>;
  /** Sends SIGTERM and waits for the drain. */
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/**
 * Returns the build that `npm start` runs, or the last good one if the build fails; the sources if there is none.
 * Decided once.
 */
let command: Promise<{ args: string[]; built: boolean }> | undefined;

export function serverCommand(): Promise<{ args: string[]; built: boolean }> {
  command ??= build()
    .catch((error: unknown) => process.stderr.write(`the build failed: ${String(error)}\n`))
    .then(() => {
      const file = path.join(ROOT, 'dist/server/main.js');
      return existsSync(file)
        ? { args: ['--enable-source-maps', file], built: true }
        : { args: ['--import', 'tsx', path.join(ROOT, 'server/main.ts')], built: false };
    });
  return command;
}

export const hasPages = (app: 'console' | 'admin') => existsSync(path.join(ROOT, 'dist', app, 'index.html'));

export const temporaryDir = () => mkdtemp('/tmp/teehouse-bench-');
export const removeDir = (dir: string) => rm(dir, { recursive: true, force: true });

/** Starts it on a free port and waits until it is ready. Inherits nothing from the caller's configuration. */
export async function startServerProcess(
  dataDir: string,
  env: Record<string, string> = {},
  execArgv: string[] = [],
): Promise<Started> {
  const { args } = await serverCommand();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = startNode([...execArgv, ...args], {
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    DRAIN_SECONDS: '5',
    RECONCILE_SECONDS: '3600',
    SIGN_IN_ATTEMPTS: '100000',
    WRITES_PER_MINUTE: '1000000',
    ...OPEN_TO_ALL,
    ...env,
  });
  await until(`${url}/readyz`, child);
  const readyMs = performance.now() - began;
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    readyMs,
    database: () =>
      connectRunning({
        dataDir,
        databaseUrl: env.DATABASE_URL,
        databasePoolSize: 2,
        postgresBinDir: undefined,
      }),
    stop: () => stopChild(child),
  };
}

interface Served {
  server: Started;
  /** Connected to the server's database. */
  db: Db;
}

/** Runs `work` with a server in its own directory, and removes both afterward. */
export async function withServer<T>(
  env: Record<string, string>,
  work: (served: Served) => Promise<T>,
): Promise<T> {
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, env);
    try {
      const database = await server.database();
      try {
        return await work({ server, db: createDb(database.pool) });
      } finally {
        await database.stop();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

/** Runs a TypeScript file of this folder in a separate process. */
export const startSource = (file: string): ChildProcess =>
  startNode(['--import', 'tsx', path.join(ROOT, 'server/bench', file)], {});

/** Starts a Node process with only this environment and discards its standard output. */
export function startNode(args: string[], env: Record<string, string>): ChildProcess {
  const { PATH = '', HOME = '', DOCKER_HOST } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH, HOME, ...(DOCKER_HOST ? { DOCKER_HOST } : {}), ...env },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  // It may have been stopped (SIGSTOP).
  child.kill('SIGCONT');
  await ended;
}

/**
 * Returns the processor time used by a process, in ms; 0 if the system doesn't report it. (proc(5): utime and stime
 * in ticks of 10 ms)
 */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Returns the processor time used by a process's descendants, such as a server's database, in ms. */
export function descendantsCpuMs(pid: number): number {
  const parents = readdirSync('/proc').flatMap((name) => {
    const child = Number(name);
    return Number.isInteger(child) ? [{ child, parent: parentOf(child) }] : [];
  });
  const below = (id: number): number[] =>
    parents.filter(({ parent }) => parent === id).flatMap(({ child }) => [child, ...below(child)]);
  return below(pid).reduce((sum, child) => sum + cpuMs(child), 0);
}

function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return null;
  }
}

/** Waits until the URL returns 200; fails if the process exits first. */
export async function until(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; await wait(5)) {
    if (child.exitCode !== null) throw new Error(`the process for ${url} exited with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error(`${url} did not respond within two minutes`);
    const reply = await fetch(url).catch(() => null);
    await reply?.arrayBuffer();
    if (reply?.status === 200) return;
  }
}
