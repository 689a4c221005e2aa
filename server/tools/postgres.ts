import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from './system';

export interface ThrowAwayPostgres {
  /**
   * Connection URL, with password over TCP, of a user who may create databases: what an operator sets as
   * DATABASE_URL.
   */
  url: string;
  /** Stops it like `pg_ctl stop -m` (`immediate`: like a crash) and restarts it; resolves once it responds. */
  restart(how: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** Signals to the server, see “Shutting Down the Server” in PostgreSQL's manual. */
const ENDINGS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/**
 * Starts an installed PostgreSQL on a free loopback port. It is empty and is deleted by `stop`. For tests and
 * benchmarks.
 *
 * @param options.dir for its files; by default a new one in /tmp, for databases of any size
 * @param options.durable keeps committed data if PostgreSQL crashes (but not the machine)
 */
export async function startPostgres({
  dir: given,
  durable = false,
}: { dir?: string; durable?: boolean } = {}): Promise<ThrowAwayPostgres> {
  const bin = findPostgres();
  if (!bin) throw new Error('no PostgreSQL is installed (Debian: apt-get install postgresql)');
  const dir = given ?? (await mkdtemp('/tmp/teehouse-postgres-'));
  await chmod(dir, 0o755);
  const data = path.join(dir, 'data');
  const passwordFile = path.join(dir, 'password');
  const password = randomBytes(12).toString('hex');
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  // PostgreSQL refuses to run as root.
  const as = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (as.uid) for (const file of [data, passwordFile]) await chown(file, as.uid, as.gid);
  const options = { ...as, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
  try {
    const initdb = spawn(
      path.join(bin, 'initdb'),
      ['-D', data, '-U', 'teehouse', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync'].concat([
        '--encoding=UTF8',
        '--locale=C.UTF-8',
      ]),
      { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const [code] = (await once(initdb, 'exit')) as [number];
    if (code !== 0) throw new Error(`initdb exited with ${code}`);
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port: `${port}`,
      unix_socket_directories: '',
      max_connections: '200',
      fsync: 'off',
      synchronous_commit: durable ? 'on' : 'off',
      full_page_writes: 'off',
      log_min_messages: 'fatal',
    };
    const start = () =>
      spawn(
        path.join(bin, 'postgres'),
        ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
        { ...options, stdio: ['ignore', 'ignore', 'ignore'] },
      );
    let server = start();
    const end = async (signal: NodeJS.Signals) => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill(signal);
      await ended;
    };
    // Don't leave it running if the tool exits early.
    const quit = () => void server.kill('SIGQUIT');
    process.once('exit', quit);
    const url = `postgresql://teehouse:${password}@127.0.0.1:${port}/postgres`;
    await answering(url, server);
    return {
      url,
      async restart(how) {
        await end(ENDINGS[how]);
        server = start();
        await answering(url, server);
      },
      async stop() {
        process.off('exit', quit);
        await end('SIGINT');
        await rm(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await wait(50)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL did not start: ${String(error)}`, { cause: error });
    }
  }
}

/** Returns a TCP port that is free at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no free TCP port');
  return address.port;
}
