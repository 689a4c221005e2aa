import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../db/core/migrate';
import { migrations } from '../db/migrations';
import { ROOT } from '../root';
import { commandLine } from '../testing/commandLine';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { OPEN_TO_ALL, SHORT_LIVED } from '../testing/openServer';
import { checkOutPrevious, hasPrevious, PREVIOUS } from '../testing/previousVersion';
import { eventually, PASSWORD } from '../testing/server';
import { freePort } from '../tools/postgres';
import { scratchDir } from '../tools/testRunner/scratch';
import { MIGRATION_FACTS } from './checks/migrationFacts';

/* The previous version running on this version's schema, alone and alongside this version. */

const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
const SECRET = 'upgrade'.repeat(8);

/**
 * A copy without history can't run the previous version; the run on the second database doesn't need to repeat
 * this.
 */
const isSkipped = process.env.TEST_DB === 'postgres' || !(await hasPrevious());

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

class Process {
  cookie = '';
  private output = '';
  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
  ) {
    const keep = (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-20_000));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  static async start(root: string, env: Record<string, string>): Promise<Process> {
    const port = await freePort();
    const isBuilt = root === ROOT && process.env.TEST_BUILT !== undefined;
    const program = isBuilt
      ? [...SHORT_LIVED, path.join(root, 'dist/server/main.js')]
      : ['--import', 'tsx', path.join(root, 'server/main.ts')];
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, program, {
      cwd: root,
      env: { PATH, HOME, PORT: String(port), LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new Process(child, port);
    await eventually(
      'the process is ready',
      async () => {
        if (child.exitCode !== null) throw new Error(`the process exited: ${started.output}`);
        return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
      },
      240,
    );
    return started;
  }

  async call(method: string, at: string, body?: unknown): Promise<Reply> {
    const reply = await fetch(`http://127.0.0.1:${this.port}/api/v1${at}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const set = reply.headers.getSetCookie()[0];
    if (set) this.cookie = set.split(';')[0] ?? '';
    return { status: reply.status, body: text ? (JSON.parse(text) as Reply['body']) : {} };
  }

  /** Deploys a CVM. @returns its UUID */
  async deploy(name: string): Promise<string> {
    const provision = await this.call('POST', '/cvms/provision', {
      name,
      compose_file: { docker_compose_file: COMPOSE },
    });
    expect(provision.status, JSON.stringify(provision.body)).toBe(200);
    const { app_id, compose_hash } = provision.body;
    const made = await this.call('POST', '/cvms', { app_id, compose_hash });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    return String(made.body.vm_uuid);
  }

  async becomes(uuid: string, status: string): Promise<void> {
    let seen = '';
    await eventually(
      `the CVM is ${status}`,
      async () => {
        seen = String((await this.call('GET', `/cvms/${uuid}`)).body.status);
        return seen === status;
      },
      120,
    ).catch((err: unknown) => {
      throw new Error(`the CVM is ${seen}: ${this.output}`, { cause: err });
    });
  }

  async act(uuid: string, action: 'start' | 'stop' | 'restart'): Promise<void> {
    const reply = await this.call('POST', `/cvms/${uuid}/${action}`, {});
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await exited;
  }

  faults(): string[] {
    return this.output.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
  }
}

describe.skipIf(isSkipped)('the previous version', { timeout: 600_000 }, () => {
  let sources: { root: string; remove(): Promise<void> };
  let database: TestDatabase;
  const running: Process[] = [];
  const dirs: string[] = [];

  async function start(root: string, env: Record<string, string> = {}): Promise<Process> {
    const dir = await scratchDir('upgrade');
    dirs.push(dir);
    const one = await Process.start(root, {
      DATA_DIR: dir,
      DATABASE_URL: database.url,
      TEEHOUSE_SECRET: SECRET,
      RECONCILE_SECONDS: '1',
      LOCAL_TEEPOD: 'off',
      ...OPEN_TO_ALL,
      ...env,
    });
    running.push(one);
    return one;
  }

  beforeAll(async () => {
    sources = await checkOutPrevious();
    database = await createTestDatabase();
    await database.pool.query('drop schema public cascade');
    await database.pool.query('create schema public');
  });
  afterAll(async () => {
    for (const one of running) await one.stop();
    await database.drop();
    await sources.remove();
    for (const dir of dirs) await rm(dir, { recursive: true, force: true });
  });

  it('works on the new schema, alone and alongside this version, which then takes over', async () => {
    const old = await start(sources.root, { LOCAL_TEEPOD: 'on', LOCAL_TEEPOD_ENGINE: 'simulate' });
    const applied = async () =>
      (
        await database.pool.query<{ name: string }>('select name from kysely_migration order by name')
      ).rows.map(({ name }) => name);
    expect((await applied()).at(-1)).toBe(PREVIOUS.migration);
    const registered = await old.call('POST', '/auth/register', {
      email: 'upgrade@example.test',
      password: PASSWORD,
    });
    expect(registered.status).toBe(201);
    await eventually(
      'the teepod is registered',
      async () => ((await old.call('GET', '/teepods/available')).body.nodes as unknown[]).length === 1,
    );
    const kept = await old.deploy('kept-app');
    await old.becomes(kept, 'running');

    // Like this version's `teehouse migrate` while the old one runs.
    await migrate(database.connection);
    const added = (await applied()).filter((name) => name > PREVIOUS.migration);
    expect(added).toEqual(Object.keys(migrations).filter((name) => name > PREVIOUS.migration));
    expect(added.filter((name) => MIGRATION_FACTS[name]?.older?.effect === 'stop')).toEqual([]);

    const alone = await old.deploy('old-alone');
    await old.becomes(alone, 'running');
    await old.act(kept, 'stop');
    await old.becomes(kept, 'stopped');

    const now = await start(ROOT);
    now.cookie = old.cookie;
    const [ofOld, ofNew] = [await old.deploy('of-old'), await now.deploy('of-new')];
    await now.act(kept, 'start');
    await old.act(alone, 'restart');
    for (const uuid of [ofOld, ofNew, kept, alone])
      for (const one of [old, now]) await one.becomes(uuid, 'running');
    expect((await old.call('DELETE', `/cvms/${ofNew}`)).status).toBe(204);
    expect((await now.call('DELETE', `/cvms/${ofOld}`)).status).toBe(204);
    await eventually('both are deleted', async () => {
      const statuses = [ofOld, ofNew].map(async (uuid) => (await now.call('GET', `/cvms/${uuid}`)).status);
      return (await Promise.all(statuses)).every((status) => status === 404);
    });
    for (const one of [old, now]) expect(one.faults()).toEqual([]);

    await old.stop();
    const me = await now.call('GET', '/auth/me');
    expect(me.status).toBe(200);
    expect((await now.call('GET', `/cvms/${kept}`)).body.status).toBe('running');
    await now.stop();
    // Audit log, ledger and usage match those of a single version.
    const verified = await commandLine({ DATABASE_URL: database.url, TEEHOUSE_SECRET: SECRET })(['verify']);
    expect(verified.code, verified.out.join('\n')).toBe(0);
  });
});
