/** The package and the container image that operators install, built from this repository and run. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, VERSION } from '../root';
import { ensureDocker } from '../tools/docker';
import { freePort } from '../tools/postgres';
import { installLocked, makeNodeImage } from './testing/nodeImage';
import { writePackage } from './writePackage';

const run = promisify(execFile);
const BASE = 'localhost/teehouse-test-node';
const IMAGE = 'localhost/teehouse-test-server';
const NAME = `teehouse-test-server-${process.pid}`;
const VOLUME = `${NAME}-data`;

let context: string;
let folder: string;
let compose: string[];
let docker: (args: string[]) => Promise<string>;
let url: string;

beforeAll(async () => {
  const engine = await ensureDocker();
  if ('reason' in engine) throw new Error(engine.reason);
  compose = engine.compose;
  const host = engine.socket.includes('://') ? engine.socket : `unix://${engine.socket}`;
  docker = async (args) =>
    (await run('docker', ['-H', host, ...args], { maxBuffer: 16 * 1024 * 1024 })).stdout.trim();
  context = await mkdtemp(path.join(tmpdir(), 'teehouse-package-'));
  folder = path.join(context, 'dist/package');
  // Under NODE_ENV=test, Vite would build React's development version into this process's own folder.
  if (!process.env.TEST_BUILT)
    await run('npm', ['run', '-s', 'build'], { cwd: ROOT, env: { ...process.env, NODE_ENV: '' } });
  await writePackage(folder);
  await installLocked(folder);
  await mkdir(path.join(context, 'server/packaging'), { recursive: true });
  await cp(path.join(ROOT, 'server/packaging/Dockerfile'), path.join(context, 'server/packaging/Dockerfile'));
}, 180_000);

afterAll(async () => {
  await docker?.(['rm', '-f', NAME]).catch(() => undefined);
  await docker?.(['volume', 'rm', '-f', VOLUME]).catch(() => undefined);
  if (context) await rm(context, { recursive: true, force: true });
}, 120_000);

describe('the npm package', () => {
  it('has the command, which works outside the repository', async () => {
    const { stdout } = await run(process.execPath, [path.join(folder, 'bin/teehouse.js'), 'help'], {
      cwd: '/',
    });
    expect(stdout).toContain('teehouse start');
  });

  it('pins every package it loads, and lists everything it contains', async () => {
    const read = async (name: string) =>
      JSON.parse(await readFile(path.join(folder, name), 'utf8')) as unknown;
    const { packages } = (await read('npm-shrinkwrap.json')) as {
      packages: Record<string, { version?: string }>;
    };
    const { dependencies } = (await read('package.json')) as { dependencies: Record<string, string> };
    for (const [name, version] of Object.entries(dependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
    const bill = (await read('sbom.cdx.json')) as { bomFormat: string; components: { name: string }[] };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['express', 'react', 'pg', 'pino']),
    );
  });
});

describe('the container image', () => {
  /** The last line of the health checks, for failure messages. */
  const health = async () =>
    JSON.parse(await docker(['inspect', '-f', '{{json .State.Health}}', NAME])) as Health;
  interface Health {
    Status: string;
    Log: { Output: string }[] | null;
  }

  async function untilHealthy(): Promise<void> {
    for (let tries = 0; tries < 120; tries += 1) {
      if ((await health()).Status === 'healthy') return;
      await wait(500);
    }
    throw new Error(
      `not healthy: ${JSON.stringify(await health())}\n${await docker(['logs', '--tail', '20', NAME])}`,
    );
  }

  const buildImage = (...buildArgs: string[]) =>
    docker(
      [
        ['build', '--network=none', '-f', path.join(context, 'server/packaging/Dockerfile'), '-t', IMAGE],
        [`BASE=${BASE}`, ...buildArgs].flatMap((arg) => ['--build-arg', arg]),
        context,
      ].flat(),
    );

  it('is built from the sources unless the builder requests the existing package', async () => {
    await makeNodeImage(docker, BASE);
    // The base has no npm, so a compiling build fails, and one with the existing dist/package doesn’t.
    await expect(buildImage()).rejects.toMatchObject({ stdout: expect.stringContaining('npm: not found') });
    await expect(buildImage('PACKAGE=old')).rejects.toMatchObject({
      stdout: expect.stringContaining('PACKAGE is build or prebuilt, not old.'),
    });
  });

  it('serves as an unprivileged user on a read-only file system', async () => {
    await buildImage('PACKAGE=prebuilt');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await docker(
      [
        ['run', '-d', '--init', '--name', NAME, '--network=host', '-v', `${VOLUME}:/var/lib/teehouse`],
        ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
        [
          '-e',
          `PORT=${port}`,
          '-e',
          'HOST=127.0.0.1',
          '-e',
          `PUBLIC_URL=${url}`,
          '-e',
          'LOCAL_TEEPOD=off',
          IMAGE,
        ],
      ].flat(),
    );
    await untilHealthy();
    const page = await fetch(`${url}/login`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Teehouse');
    expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
    expect(await docker(['exec', NAME, 'id', '-u'])).toBe('1000');
  });

  it('has the command, and keeps its data across a restart', async () => {
    const teehouse = (...args: string[]) =>
      docker(['exec', NAME, 'node', '/opt/teehouse/bin/teehouse.js', ...args]);
    await teehouse(
      'user',
      'create',
      '--email',
      'ada@example.test',
      '--password',
      'violet kettle under the stairs',
    );
    await docker(['stop', '-t', '60', NAME]);
    expect(await docker(['inspect', '-f', '{{.State.ExitCode}}', NAME])).toBe('0');
    await docker(['start', NAME]);
    await untilHealthy();
    expect(await teehouse('user', 'list')).toContain('ada@example.test');
    expect((await (await fetch(`${url}/openapi.json`)).json()) as object).toMatchObject({
      openapi: expect.stringMatching(/^3/),
    });
  });
});

describe('the Compose file', () => {
  it('is accepted by Docker Compose, and names missing settings', async () => {
    const file = path.join(context, 'compose.yaml');
    await cp(path.join(ROOT, 'server/packaging/compose.yaml'), file);
    await writeFile(path.join(context, 'secret.txt'), 'x'.repeat(64));
    const [program = '', ...args] = [...compose, '-f', file, 'config'];
    const env = { ...process.env, DOMAIN: 'cloud.example.com', POSTGRES_PASSWORD: 'hidden' };
    const { stdout } = await run(program, args, { env });
    expect(stdout).toContain('PUBLIC_URL: https://cloud.example.com');
    await expect(run(program, args, { env: { ...process.env, DOMAIN: '' } })).rejects.toThrow(
      /Set DOMAIN in .env/,
    );
  });
});

it('all parts have the repository’s version', async () => {
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(VERSION);
});
