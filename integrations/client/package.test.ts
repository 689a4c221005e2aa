import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../server/root';
import { writeClient } from '../../server/tools/packages/writeClient';
import { identityOf, insertToken } from '../../server/testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../server/testing/server';

/** The package as npm would publish it: packed, installed without a network, and used against a real server. */
const exec = promisify(execFile);
let server: TestServer;
let token: string;
let work: string;

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'teehouse-client-test-'));
  [server] = await Promise.all([startTestServer(), pack()]);
  const member = await server.register();
  token = await insertToken(server.services.db, await identityOf(server.services.db, member.email!));
  // Limits allow for an overloaded machine: npm starts twice.
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await rm(work, { recursive: true, force: true });
});

async function pack(): Promise<void> {
  await writeClient(path.join(work, 'client'));
  const { stdout } = await exec('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    work,
    path.join(work, 'client'),
  ]);
  const project = path.join(work, 'project');
  await mkdir(project);
  await writeFile(path.join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(work, stdout.trim())], {
    cwd: project,
  });
}

const project = (...names: string[]) => path.join(work, 'project', ...names);

async function script(code: string): Promise<unknown> {
  await writeFile(project('script.js'), code);
  const { stdout } = await exec(process.execPath, [project('script.js')], {
    env: { PATH: process.env.PATH, TEEHOUSE_SERVER: server.address, TEEHOUSE_TOKEN: token },
  });
  return JSON.parse(stdout);
}

describe('the package', () => {
  it('has no dependencies, and only the files it runs', async () => {
    const manifest = JSON.parse(
      await readFile(project('node_modules/teehouse-client/package.json'), 'utf8'),
    ) as object;
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).toMatchObject({ name: 'teehouse-client', type: 'module' });
    const lock = JSON.parse(await readFile(project('package-lock.json'), 'utf8')) as { packages: object };
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/teehouse-client']);
  });

  it('calls the server with the newest version, and throws its errors', async () => {
    const result = await script(`
      import { ApiError, createTeehouse, deployPreflight, getCvm, listInstanceTypes } from 'teehouse-client';
      const client = createTeehouse({ server: process.env.TEEHOUSE_SERVER, token: process.env.TEEHOUSE_TOKEN });
      const { data, response } = await listInstanceTypes({ client, throwOnError: true });
      const missing = await getCvm({ client, throwOnError: true, path: { cvm_id: 'no-such-app' } }).catch((error) => error);
      const { error } = await deployPreflight({ client, body: { name: 'x', compose_file: {} } });
      console.log(JSON.stringify({
        types: data.result.length > 0,
        version: response.headers.get('x-phala-version'),
        missing: [missing instanceof ApiError, missing.status, missing.code],
        returned: [error instanceof ApiError, error.status],
      }));
    `);
    expect(result).toMatchObject({
      types: true,
      version: '2026-06-23',
      missing: [true, 404, 'ERR-03-001'],
      returned: [true, 422],
    });
  });

  it('has types that compile in a strict project, and omits the admin area', async () => {
    await writeFile(
      project('typed.ts'),
      `import { createTeehouse, getCvm, type CvmDetail, type TeehouseOptions } from 'teehouse-client';
       export async function hash(options: TeehouseOptions): Promise<CvmDetail['compose_hash']> {
         const { data } = await getCvm({ client: createTeehouse(options), throwOnError: true, path: { cvm_id: 'a' } });
         return data.compose_hash;
       }
       // @ts-expect-error the identifier is text
       void getCvm({ path: { cvm_id: 1 } });
       // @ts-expect-error of the admin area
       export { listAdminUsers } from 'teehouse-client';
      `,
    );
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] };
    await writeFile(project('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const tsc = path.join(ROOT, 'node_modules/tsgo/bin/tsc');
    const { stdout } = await exec(process.execPath, [tsc, '-p', project()]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it('has working examples', async () => {
    const readme = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    await writeFile(project('script.js'), example);
    const { stdout } = await exec(process.execPath, [project('script.js')], {
      env: { PATH: process.env.PATH, TEEHOUSE_SERVER: server.address, TEEHOUSE_TOKEN: token },
    });
    expect(stdout).toContain('tdx.small');
  });
});
