import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../server/root';
import { identityOf, insertToken } from '../../server/testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../server/testing/server';
import { writeAction } from '../../server/tools/packages/writeAction';
import { INPUTS } from './inputs';

/** The action as it is published: one file, run by Node alone, with the commands of docs/automation.md. */
const exec = promisify(execFile);
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n    environment:\n      API_KEY: ${API_KEY}\n';
const CANARY = 'canary-0a9b8c7d6e';
let server: TestServer;
let member: TestClient;
let token: string;
let work: string;
let guide: string;

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'teehouse-deploy-'));
  [server, guide] = await Promise.all([
    startTestServer({ teepod: true }),
    readFile(path.join(ROOT, 'docs/automation.md'), 'utf8'),
    writeAction(path.join(work, 'teehouse-deploy')),
    writeFile(path.join(work, 'docker-compose.yml'), COMPOSE),
  ]);
  member = await server.register();
  token = await insertToken(server.services.db, await identityOf(server.services.db, member.email!));
});
afterAll(async () => {
  await server?.stop();
  await rm(work, { recursive: true, force: true });
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}
const sh = (command: string, env: Record<string, string> = {}): Promise<Ran> =>
  exec('sh', ['-c', command], {
    cwd: work,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      TEEHOUSE_SERVER: server.address,
      TEEHOUSE_TOKEN: token,
      // The built-in host has no TEE.
      TEEHOUSE_VERIFY: 'report',
      API_KEY: CANARY,
      ...env,
    },
  }).then(
    (ran) => ({ code: 0, ...ran }),
    (error: Ran) => error,
  );

describe('the program', () => {
  it('runs the guide’s commands: plans, then deploys', async () => {
    const section = guide.slice(guide.indexOf('### Any other CI'));
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
    const [plan = '', deploy = '', ...more] = block.split('\n').filter((line) => line.startsWith('node '));
    expect(more).toEqual([]);
    const planned = await sh(plan);
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    expect(planned.stdout).toContain('### Will be created: `my-app`');
    expect((await member.call('getCvm', { path: { cvm_id: 'my-app' } })).status).toBe(404);
    const deployed = await sh(deploy);
    expect(deployed.code, deployed.stdout + deployed.stderr).toBe(0);
    const { body } = await member.call('getCvm', { path: { cvm_id: 'my-app' } });
    expect(body).toMatchObject({ status: 'running' });
    const report = await readFile(path.join(work, 'report.md'), 'utf8');
    expect(report).toContain('### Created: `my-app`');
    for (const text of [report, ...Object.values(planned), ...Object.values(deployed)].map(String)) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(token);
    }
  });

  it('exits with a code for the reason', async () => {
    const codes = await Promise.all([
      sh('node teehouse-deploy/main.mjs'),
      sh('node teehouse-deploy/main.mjs --name other-app', { TEEHOUSE_TOKEN: 'thk_api_wrong_wrong' }),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([2, 1]);
    expect(codes[0]?.stdout).toContain('error: name: It is missing.');
    expect(codes[1]?.stdout).toContain('error: The server refused the token');
  });

  it('needs nothing but Node, and includes the licenses of what it bundles', async () => {
    const folder = path.join(work, 'teehouse-deploy');
    const text = await readFile(path.join(folder, 'main.mjs'), 'utf8');
    const imported = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name = '']) => name);
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(text).not.toMatch(/^import\(|[^.\w]import\(/m);
    expect((await stat(path.join(folder, 'main.mjs'))).size).toBeLessThan(1_500_000);
    const notices = await readFile(path.join(folder, 'NOTICES.txt'), 'utf8');
    for (const name of ['@noble/curves', '@noble/hashes', '@noble/ciphers', 'diff'])
      expect(notices).toContain(name);
  });

  it('is installed by npm without a network, with its command', async () => {
    const { stdout } = await exec('npm', ['pack', '--silent', path.join(work, 'teehouse-deploy')], {
      cwd: work,
    });
    await mkdir(path.join(work, 'project'));
    await writeFile(path.join(work, 'project/package.json'), '{}');
    const install = `cd project && npm install --offline --no-audit --no-fund ../${stdout.trim()}`;
    const ran = await sh(
      `${install} >/dev/null && npx --offline teehouse-deploy --mode plan --compose-file ../docker-compose.yml`,
    );
    expect([ran.code, ran.stdout.includes('name: It is missing.')], ran.stdout + ran.stderr).toEqual([
      2,
      true,
    ]);
  });
});

describe('the guide', () => {
  const blocks = () =>
    [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, text = '']) => parse(text) as Record<string, unknown>,
    );

  it('has a workflow with valid inputs', () => {
    const workflow = blocks().find((block) => 'jobs' in block) as {
      jobs: { deploy: { steps: { uses: string; with?: Record<string, string>; env?: object }[] } };
    };
    const step = workflow.jobs.deploy.steps.find(({ uses }) => uses.includes('teehouse-deploy'));
    expect(Object.keys(step?.with ?? {}).filter((name) => !(name in INPUTS))).toEqual([]);
    // Each named secret has a value.
    expect(Object.keys(step?.env ?? {})).toEqual(step?.with?.secrets?.split(/[\s,]+/));
  });

  it('has a pipeline with valid variables', () => {
    const { deploy } = blocks().find((block) => 'deploy' in block) as {
      deploy: { variables: object; rules: { variables: object }[]; script: string[] };
    };
    const variables = [deploy.variables, ...deploy.rules.map((rule) => rule.variables)].flatMap(Object.keys);
    const known = Object.keys(INPUTS).map((name) => `TEEHOUSE_${name.toUpperCase().replaceAll('-', '_')}`);
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
    const options = [...deploy.script.join(' ').matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name);
    expect(options.filter((name) => !(name in INPUTS))).toEqual([]);
  });

  it('lists the exit codes', async () => {
    const { EXIT } = await import('./exit');
    const listed = [...guide.matchAll(/^\| (\d) \| /gm)].map(([, code]) => Number(code));
    expect(listed).toEqual(Object.values(EXIT));
  });
});
