import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityOf, insertOperation, insertToken } from '../../server/testing/cvmFixtures';
import { eventually } from '../../server/testing/server';
import { freePort } from '../../server/tools/postgres';
import { CANARY, COMPOSE, startWorld, type World } from './testing/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());
beforeEach(() => world.reset());

describe('the first run', () => {
  it('creates the app, waits for it, verifies it and comments on the commit’s pull request', async () => {
    const name = world.newName();
    world.github.merged = [7];
    const ran = await world.step(name);
    expect(ran.code, ran.log).toBe(0);
    const cvm = await world.cvmOf(name);
    expect(cvm.status).toBe('running');
    expect(await world.secretsOf(name)).toEqual({ API_KEY: CANARY });
    expect(ran.outputs).toEqual({
      action: 'create',
      'compose-hash': cvm.compose_hash,
      'cvm-url': `${world.server.address}/${world.member.slug}/cvms/${cvm.vm_uuid}`,
      attestation: 'simulated',
    });
    const [body = '', ...more] = world.commentsOn(7);
    expect(more).toEqual([]);
    expect(body).toContain('### Created:');
    expect(body).toContain(`| Compose hash | — | \`${cvm.compose_hash}\` |`);
    expect(body).toMatch(/\| Cost while running \| — \| \$[\d.]+\/h \|/);
    expect(body).toMatch(/\| Cost of 730 hours \| — \| \$[\d.,]+\/month \|/);
    expect(body).toContain('added `API_KEY`');
    expect(body).toContain('+    image: nginx:alpine');
    expect(body).toContain(`/cvms/${cvm.vm_uuid}/certificates)`);
    expect(body).toContain('simulated: this host has no TEE, so nothing is proven');
    expect(body).toContain('✅ Compose file of this repository');
    expect(body).toContain('Taken from the server’s records');
    expect(body).toBe(`<!-- teehouse-deploy: ${name} -->\n${ran.summary}`);
    expect(ran.masked).toContain(CANARY);
    expect(ran.masked).toContain(world.token);
  });

  it('fails with its own exit code after deploying if required evidence proves nothing', async () => {
    const name = world.newName();
    const ran = await world.step(name, { with: { verify: 'required' } });
    expect([ran.code, (await world.cvmOf(name)).status]).toEqual([3, 'running']);
    expect(ran.log).toContain('skipped: Runs on TEE hardware');
  });

  it('sends nothing if the KMS key isn’t the pinned one', async () => {
    const name = world.newName();
    const other = '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538';
    const ran = await world.step(name, { with: { 'kms-root': other } });
    expect(ran.code).toBe(1);
    expect(ran.log).toContain('No secret was sent.');
    expect((await world.member.call('getCvm', { path: { cvm_id: name } })).status).toBe(404);
  });

  it('names secrets without a value before it reserves anything', async () => {
    const ran = await world.step(world.newName(), { env: { API_KEY: '' } });
    expect(ran.code).toBe(2);
    expect(ran.log).toContain('Secrets without a value: API_KEY.');
  });

  it('happens once if two runs start concurrently', async () => {
    const name = world.newName();
    const both = await Promise.all([world.step(name), world.step(name)]);
    expect(
      both.map(({ code }) => code),
      both.map(({ log }) => log).join('\n---\n'),
    ).toEqual([0, 0]);
    const page = await world.member.call('listCvmsPaginated', { query: { page_size: 100 } });
    expect(page.body.items.filter((one) => one.name === name)).toHaveLength(1);
  });
});

describe('a later run', () => {
  const name = 'shop-later';
  const CHANGED = COMPOSE.replace('nginx:alpine', 'nginx:stable');
  beforeAll(async () => {
    const ran = await world.step(name);
    expect(ran.code, ran.log).toBe(0);
  });

  it('changes nothing if nothing changed, and keeps one comment', async () => {
    const before = await world.operationsOf(name);
    const first = await world.step(name, { pull_request: 3 });
    const second = await world.step(name, { pull_request: 3, with: { mode: 'deploy' } });
    expect([first.code, second.code, second.outputs.action]).toEqual([0, 0, 'none']);
    expect(await world.operationsOf(name)).toEqual(before);
    expect(world.commentsOn(3)).toHaveLength(1);
    expect(world.commentsOn(3)[0]).toContain('### No changes:');
  });

  it('plans in a pull request without secrets, and deploys nothing', async () => {
    const before = await world.cvmOf(name);
    const ran = await world.step(name, {
      compose: CHANGED,
      pull_request: 4,
      env: { API_KEY: '' },
      with: { secrets: 'API_KEY, NEW_KEY', 'instance-type': 'tdx.medium' },
    });
    expect([ran.code, ran.outputs.action], ran.log).toEqual([0, 'update']);
    const body = world.commentsOn(4)[0] ?? '';
    expect(body).toContain('### Will be updated:');
    expect(body).toContain(
      `| Compose hash | \`${before.compose_hash}\` | \`${ran.outputs['compose-hash']}\` |`,
    );
    expect(body).toContain('added `NEW_KEY`');
    expect(body).toContain('-    image: nginx:alpine\n+    image: nginx:stable');
    const [, old = '', next = ''] =
      /\| Cost while running \| \$([\d.]+)\/h \| \$([\d.]+)\/h \|/.exec(body) ?? [];
    expect(Number(next)).toBeGreaterThan(Number(old));
    expect(body).not.toContain('differs from the one computed');
    expect(await world.cvmOf(name)).toMatchObject({ compose_hash: before.compose_hash, status: 'running' });
  });

  it('updates the file and the secrets to the planned hash', async () => {
    const inputs = { secrets: 'API_KEY, NEW_KEY' };
    const env = { API_KEY: `${CANARY}-2`, NEW_KEY: `${CANARY}-3` };
    const planned = await world.step(name, { compose: CHANGED, pull_request: 5, with: inputs });
    const ran = await world.step(name, {
      compose: CHANGED,
      pull_request: 5,
      env,
      with: { ...inputs, mode: 'deploy' },
    });
    expect([ran.code, ran.outputs.action], ran.log).toEqual([0, 'update']);
    const { compose_hash } = await world.cvmOf(name);
    expect([planned.outputs['compose-hash'], ran.outputs['compose-hash']]).toEqual([
      compose_hash,
      compose_hash,
    ]);
    expect(await world.secretsOf(name)).toEqual({ API_KEY: `${CANARY}-2`, NEW_KEY: `${CANARY}-3` });
    expect(world.commentsOn(5)).toHaveLength(1);
    expect(world.commentsOn(5)[0]).toContain('### Updated:');
    const revisions = await world.member.call('listAppRevisions', {
      path: { app_id: (await world.cvmOf(name)).app_id },
    });
    expect(JSON.stringify(revisions.body)).toContain('Deployed by CI acme/shop c0ffee');
  });

  it('sends new values of the same secrets only on request', async () => {
    const given = {
      compose: CHANGED,
      with: { secrets: 'API_KEY, NEW_KEY' },
      env: { API_KEY: CANARY, NEW_KEY: 'plain-value' },
    };
    expect((await world.step(name, given)).outputs.action).toBe('none');
    expect((await world.secretsOf(name)).NEW_KEY).toBe(`${CANARY}-3`);
    const ran = await world.step(name, { ...given, with: { ...given.with, 'rotate-secrets': 'true' } });
    expect(ran.code, ran.log).toBe(0);
    expect(await world.secretsOf(name)).toEqual({ API_KEY: CANARY, NEW_KEY: 'plain-value' });
  });

  it('keeps secrets that it isn’t given', async () => {
    const ran = await world.step(name, { compose: COMPOSE, with: { secrets: '' } });
    expect(ran.code, ran.log).toBe(0);
    expect(await world.secretsOf(name)).toEqual({ API_KEY: CANARY, NEW_KEY: 'plain-value' });
    expect(ran.summary).not.toContain('Environment variables');
  });
});

describe('an app with several CVMs', () => {
  it('is updated by a rollout, and costs are their total', async () => {
    const name = world.newName();
    expect((await world.step(name)).code).toBe(0);
    const { id, app_id } = await world.cvmOf(name);
    const { body: copy } = await world.member.call('createCvmReplica', { path: { cvm_id: id }, body: {} });
    const ended = (correlation_id: string) =>
      eventually('the operation has succeeded', async () => {
        const { body } = await world.member.call('getOperation', { path: { correlation_id } });
        return body.state === 'succeeded';
      });
    await ended((copy as { correlation_id: string }).correlation_id);
    const compose = COMPOSE.replace('nginx:alpine', 'nginx:stable');
    const ran = await world.step(name, { compose, pull_request: 2, with: { mode: 'deploy' } });
    expect(ran.code, ran.log).toBe(0);
    expect(ran.log).toContain('2 of 2 CVMs updated');
    const { body } = await world.member.call('listAppCvms', { path: { app_id } });
    expect(body.map(({ compose_hash }) => compose_hash)).toEqual(Array(2).fill(ran.outputs['compose-hash']));
    const [comment = ''] = world.commentsOn(2);
    expect(comment).toContain('| CVMs | 2 | 2 |');
    expect(comment.match(/\*\*Attestation of\*\*/g)).toHaveLength(2);
    const resized = await world.step(name, { compose, with: { 'instance-type': 'tdx.medium' } });
    expect([resized.code, resized.log.includes('2 CVMs')]).toEqual([2, true]);

    // One of them goes back, as after a rollout that failed midway.
    const replica = body.find((one) => one.id !== id)?.id ?? '';
    const { body: changed } = await world.member.call('patchCvm', {
      path: { cvm_id: replica },
      body: { docker_compose_file: COMPOSE },
    });
    await ended((changed as { correlation_id: string }).correlation_id);
    const repaired = await world.step(name, { compose });
    expect([repaired.code, repaired.outputs.action], repaired.log).toEqual([0, 'update']);
    const { body: after } = await world.member.call('listAppCvms', { path: { app_id } });
    expect(after.map(({ compose_hash }) => compose_hash)).toEqual(Array(2).fill(ran.outputs['compose-hash']));
  });
});

describe('failures', () => {
  it('a Compose file that the server refuses is named with its line', async () => {
    const name = world.newName();
    const compose =
      'services:\n  web:\n    image: nginx\n    privileged: yes please\n    ports: ["99999:80"]\n';
    for (const mode of ['plan', 'deploy']) {
      const ran = await world.step(name, { compose, pull_request: 6, with: { mode, secrets: '' } });
      expect(ran.code).toBe(1);
      expect(ran.log).toMatch(/::error::Invalid Compose file: line \d+, column \d+/);
    }
    expect(world.commentsOn(6)).toHaveLength(1);
    expect(world.commentsOn(6)[0]).toContain('### Not deployed:');
    expect(world.commentsOn(6)[0]).toMatch(/line \d+, column \d+/);
  });

  it('a boot error is reported with its key line and a link to the CVM, and the next run repairs it', async () => {
    const name = world.newName();
    const compose = `${COMPOSE}    ports: ["\${WEB_PORT}:80"]\n`;
    const secrets = 'API_KEY, WEB_PORT';
    const ran = await world.step(name, {
      compose,
      pull_request: 8,
      with: { mode: 'deploy', secrets },
      env: { WEB_PORT: `${CANARY}-port` },
    });
    expect(ran.code, ran.log).toBe(1);
    expect(ran.log).toMatch(/::error::The deploy failed: Boot error: .*port/);
    const body = world.commentsOn(8)[0] ?? '';
    expect(body).toContain('### Not deployed:');
    expect(body).toContain('Boot error');
    expect(body).toContain(`/cvms/${(await world.cvmOf(name)).vm_uuid})`);
    const again = await world.step(name, {
      compose,
      pull_request: 8,
      with: { mode: 'deploy', secrets },
      env: { WEB_PORT: '8080' },
    });
    expect(again.code, again.log).toBe(0);
    expect((await world.cvmOf(name)).status).toBe('running');
    expect(world.commentsOn(8)).toHaveLength(1);
  });

  it('a revoked token is refused with advice', async () => {
    const ran = await world.step(world.newName(), {
      with: { token: 'thk_api_0000000000000000000000000000000000000000' },
    });
    expect(ran.code).toBe(1);
    expect(ran.log).toContain('The server refused the token');
    expect(ran.log).not.toContain('thk_api_0000');
  });

  it('a token without the required scope is refused with advice', async () => {
    const { db } = world.server.services;
    const weak = await insertToken(db, await identityOf(db, world.member.email!), ['user:profile']);
    const ran = await world.step(world.newName(), { with: { token: weak } });
    expect(ran.code).toBe(1);
    expect(ran.log).toContain('cvms:*');
  });

  it('the run fails on an operation in progress, or waits for it', async () => {
    const name = world.newName();
    expect((await world.step(name)).code).toBe(0);
    const { id } = await world.cvmOf(name);
    const changed = COMPOSE.replace('nginx:alpine', 'nginx:stable');
    const { db } = world.server.services;
    const cvm = await db.selectFrom('cvms').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow();
    const { correlation_id } = await insertOperation(db, cvm);
    await db.updateTable('cvms').set({ status: 'restarting' }).where('id', '=', cvm.id).execute();
    const end = async () => {
      const finished = {
        state: 'succeeded',
        finished_at: new Date(),
        lease_until: null,
        lease_owner: null,
      } as const;
      await db.updateTable('operations').set(finished).where('correlation_id', '=', correlation_id).execute();
      await db.updateTable('cvms').set({ status: 'running' }).where('id', '=', cvm.id).execute();
    };
    const refused = await world.step(name, { compose: changed, with: { 'on-busy': 'fail' } });
    expect(refused.code).toBe(4);
    expect(refused.log).toContain(`Another operation is in progress on “${name}”`);
    let ended: Promise<void> | undefined;
    const waited = await world.step(name, {
      compose: changed,
      onLine(line) {
        if (line.includes('Waiting until')) ended = end();
      },
    });
    await ended;
    expect(waited.code, waited.log).toBe(0);
    expect(await world.operationsOf(name)).toEqual([
      'update succeeded',
      'restart succeeded',
      'deploy succeeded',
    ]);
  });

  it('an unreachable server is reported as such', async () => {
    const ran = await world.step(world.newName(), {
      with: { server: `http://127.0.0.1:${await freePort()}` },
    });
    expect(ran.code).toBe(1);
    expect(ran.log).toContain('Couldn’t reach the server (ECONNREFUSED).');
  });
});
