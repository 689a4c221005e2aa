import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { scratchDir } from '../../tools/testRunner/scratch';
import { connectRunning, openDatabase, type OpenDatabase } from './embedded';
import { readRecord } from './postgres/place';
import { runningPid } from './postgres/postmaster';

const root = process.getuid?.() === 0;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function temporary(mode = 0o755): Promise<string> {
  const dir = await scratchDir('db-test');
  await chmod(dir, mode);
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const settings = (dataDir: string) => ({
  dataDir,
  databaseUrl: undefined,
  databasePoolSize: 4,
  postgresBinDir: undefined,
});

async function opened(dataDir: string, open = openDatabase): Promise<OpenDatabase> {
  const database = await open(settings(dataDir));
  cleanups.push(() => database.stop());
  return database;
}

async function until<T>(what: string, probe: () => Promise<T | undefined | false>, ms = 50_000): Promise<T> {
  for (const deadline = Date.now() + ms; ; await wait(20)) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
  }
}

/** Another process that opens the database and prints a line once it can write. */
async function serverProcess(dataDir: string): Promise<ChildProcess> {
  const module = fileURLToPath(new URL('./embedded.ts', import.meta.url));
  const script = `
    const { openDatabase } = await import(${JSON.stringify(module)});
    const db = await openDatabase(${JSON.stringify(settings(dataDir))}).catch((e) => { console.log(e.message); process.exit(1); });
    await db.pool.query('create table if not exists kept (n int primary key)');
    console.log('open');
    for (let n = 0; ; n++) { await db.pool.query('insert into kept values ($1) on conflict do nothing', [n]); console.log('kept ' + n); }
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(async () => child.kill('SIGKILL'));
  return child;
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  let rest = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    rest += chunk;
    const parts = rest.split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  return lines;
}

describe('the supervised PostgreSQL', () => {
  it('initializes itself, keeps data across a restart and closes cleanly', async () => {
    const dataDir = path.join(await temporary(), 'data');
    const first = await openDatabase(settings(dataDir));
    await first.pool.query('create table note (text text, n int8, day date)');
    await first.pool.query(`insert into note values ('Grüße', 9007199254740991, '2026-02-03')`);
    const pid = await runningPid(path.join(dataDir, 'postgres'));
    expect(pid).toBeDefined();
    await first.stop();
    expect(await runningPid(path.join(dataDir, 'postgres'))).toBeUndefined();

    const second = await opened(dataDir);
    const { rows } = await second.pool.query('select *, lower($1) as low from note', ['ÄÖ']);
    expect(rows).toEqual([{ text: 'Grüße', n: 9007199254740991, day: '2026-02-03', low: 'äö' }]);
    await expect(second.pool.query('select 9007199254740993::int8')).rejects.toThrow('does not fit');
    expect((await readRecord(dataDir))?.major).toBeGreaterThanOrEqual(15);
    expect((await stat(path.join(dataDir, 'sockets'))).mode & 0o777).toBe(0o700);
  });

  it('loses no acknowledged write when its server is killed with -9, and takes PostgreSQL down with it', async () => {
    const dataDir = await temporary();
    let most = -1;
    for (let round = 0; round < 3; round++) {
      const child = await serverProcess(dataDir);
      const lines = linesOf(child);
      await until('100 rows', async () => lines.filter((line) => line.startsWith('kept')).length > 100);
      child.kill('SIGKILL');
      await once(child, 'exit');
      most = Math.max(most, ...lines.map((line) => Number(/^kept (\d+)$/.exec(line)?.[1] ?? -1)));
      // Immediately, while the old PostgreSQL may still be writing its last checkpoint.
      const database = await openDatabase(settings(dataDir));
      const { rows } = await database.pool.query('select count(*) as n from kept where n <= $1', [most]);
      expect(rows[0].n).toBe(most + 1);
      await database.stop();
    }
  });

  it('recovers when PostgreSQL itself is killed with -9', async () => {
    const dataDir = await temporary();
    const database = await opened(dataDir);
    await database.pool.query('create table kept (n int)');
    await database.pool.query('insert into kept values (1)');
    const pid = (await runningPid(path.join(dataDir, 'postgres')))!;
    process.kill(pid, 'SIGKILL');
    // Its backends may still answer for a moment, so the new process is awaited first.
    await until('a new PostgreSQL', async () => {
      const now = await runningPid(path.join(dataDir, 'postgres'));
      return now !== undefined && now !== pid;
    });
    const count = await until('an answer', async () =>
      database.pool.query('select count(*) as n from kept').then(
        ({ rows }) => rows[0].n as number,
        () => undefined,
      ),
    );
    expect(count).toBe(1);
  });

  it("lets a command use the running server's database, and leaves it running", async () => {
    const dataDir = await temporary();
    const server = await opened(dataDir);
    await server.pool.query('create table shared (n int)');
    const command = await connectRunning(settings(dataDir));
    await command.pool.query('insert into shared values (7)');
    await command.stop();
    expect((await server.pool.query('select n from shared')).rows).toEqual([{ n: 7 }]);
  });

  it('starts it for a command when no server is running, and a server started in that time waits for the command', async () => {
    const dataDir = await temporary();
    const command = await connectRunning(settings(dataDir));
    await command.pool.query('create table made (n int)');
    const server = openDatabase(settings(dataDir));
    await command.stop();
    cleanups.push(async () => (await server).stop());
    expect((await (await server).pool.query('select * from made')).rows).toEqual([]);
  });

  it('refuses a second server on the same directory, by name', async () => {
    const dataDir = await temporary();
    await opened(dataDir);
    await expect(openDatabase(settings(dataDir))).rejects.toThrow(
      `Another Teehouse server (process ${process.pid}) already uses ${dataDir}`,
    );
    const other = await serverProcess(dataDir);
    const lines = linesOf(other);
    await once(other, 'exit');
    expect(lines[0]).toContain('Another Teehouse server');
  });

  it('stops although a statement takes long', async () => {
    const database = await openDatabase(settings(await temporary()));
    const client = await database.pool.connect();
    await client.query('set statement_timeout = 0');
    const sleeping = client.query('select pg_sleep(3600)').then(
      () => 'slept',
      () => 'canceled',
    );
    await database.stop();
    expect(await sleeping).toBe('canceled');
  });

  it('works below a path that is too long for a unix socket', async () => {
    const dataDir = path.join(await temporary(), 'd'.repeat(60), 'e'.repeat(60));
    const database = await openDatabase(settings(dataDir));
    const { sockets } = (await readRecord(dataDir))!;
    cleanups.push(() => rm(sockets, { recursive: true, force: true }));
    expect(sockets.length).toBeLessThan(90);
    expect((await stat(sockets)).mode & 0o077).toBe(0);
    await database.stop();
    const again = await opened(dataDir);
    expect((await readRecord(dataDir))!.sockets).toBe(sockets);
    await again.pool.query('select 1');
  });

  it('is not confused by a stale postmaster.pid that names a living process', async () => {
    const dataDir = await temporary();
    const first = await openDatabase(settings(dataDir));
    await first.stop();
    const file = path.join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(file, `${process.pid}\n${dataDir}/postgres\n`);
    const second = await opened(dataDir);
    await second.pool.query('select 1');
    expect((await readFile(file, 'utf8')).split('\n')[0]).not.toBe(String(process.pid));
  });

  it('reports a data directory created by another major version', async () => {
    const dataDir = await temporary();
    const first = await openDatabase(settings(dataDir));
    await first.stop();
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    await expect(openDatabase(settings(dataDir))).rejects.toThrow(
      /No PostgreSQL 14 \(it made the data directory\)/,
    );
  });

  it.runIf(root)(
    'puts the files where PostgreSQL can reach them when DATA_DIR is closed to it, and says where',
    async () => {
      const closed = await temporary(0o700);
      const dataDir = path.join(closed, 'data');
      const notes: string[] = [];
      const log = { info() {}, warn: (line: string) => void notes.push(line), error() {} };
      const first = await openDatabase(settings(dataDir), log);
      const record = (await readRecord(dataDir))!;
      cleanups.push(() => rm(path.dirname(record.data), { recursive: true, force: true }));
      cleanups.push(() => rm(record.sockets, { recursive: true, force: true }));
      expect(record.data).toMatch(/^\/var\/lib\/teehouse\//);
      expect(notes.join()).toContain(`${closed} is closed to it`);
      await first.pool.query('create table kept (n int)');
      await first.stop();
      const second = await opened(dataDir);
      await second.pool.query('insert into kept values (1)');
      expect((await readRecord(dataDir))!.data).toBe(record.data);
    },
  );

  it.runIf(root)('also runs as an ordinary user', async () => {
    const dataDir = path.join(await temporary(0o755), 'home');
    await mkdir(dataDir);
    const { chownSync } = await import('node:fs');
    chownSync(dataDir, 65534, 65534);
    const script = `
      const { openDatabase } = await import(${JSON.stringify(fileURLToPath(new URL('./embedded.ts', import.meta.url)))});
      const db = await openDatabase(${JSON.stringify(settings(path.join(dataDir, 'data')))});
      console.log((await db.pool.query('select 1 as one')).rows[0].one);
      await db.stop();
    `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      uid: 65534,
      gid: 65534,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, HOME: dataDir, TMPDIR: '/tmp' },
    });
    const lines = linesOf(child);
    await once(child, 'exit');
    expect(lines).toEqual(['1']);
  });
});
