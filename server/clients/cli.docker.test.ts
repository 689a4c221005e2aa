/**
 * Runs the published, unmodified `phala` command against the real server with real containers: the 25 entries of the
 * compatibility suite in order. Later entries use what earlier ones created, as in a user's session.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../testing/server';
import { COMPOSE, COMPOSE_WITH_SECRET, sshKey, type Apps, type Cvm, type Deployed } from './testing/fixtures';
import { login } from './testing/login';
import { installPhala, jsonOf, type Phala, type Ran } from './testing/phala';
import { record, type Recorded, type Recorder } from './testing/recorder';
import { startWorld, visit, type World } from './testing/world';

let world: World;
let phala: Phala;
/** Proxy between command and server for entries that check traffic. */
let wire: Recorder;

const SSH_KEY = sshKey(7);

/** my-app and my-app2: deployed by 11 and 12, used by later entries. */
let first: Deployed;
let second: Deployed;

const call = ({ method, path }: Recorded) => `${method} ${path}`;
const expectFailure = (ran: Ran) => expect(ran, JSON.stringify(ran)).toMatchObject({ code: 1 });
const getCvm = (id: string) => phala.json<Cvm>(`cvms get ${id} --json`);

beforeAll(async () => {
  world = await startWorld();
  [phala, wire] = await Promise.all([installPhala(world.prefix, world.token), record(world.server.url)]);
  await phala.write('docker-compose.yml', COMPOSE);
  await phala.write('with-secret.yml', COMPOSE_WITH_SECRET);
  await phala.write('k.pub', `${SSH_KEY}\n`);
});

afterAll(async () => {
  await wire?.close();
  await phala?.remove();
  await world?.stop();
});

describe('phala 1.1.18', () => {
  it('1 · login, approved in the browser', async () => {
    const ran = await login(world, phala, wire, 'approve');
    expect(ran.code).toBe(0);
    expect(ran.stdout.trim()).toMatch(/^thk_cli_\w+$/);
    expect(ran.stderr).toMatch(/https?:\/\/\S+[?&]user_code=[A-Z0-9]{4}-[A-Z0-9]{4}/);
    // The token works: it reads what its owner may see.
    const me = await phala.json('whoami --json', { key: ran.stdout.trim() });
    expect(me).toMatchObject({ email: 'alice@example.test' });
  });

  it('2 · login, denied in the browser', async () => {
    const ran = await login(world, phala, wire, 'deny');
    expectFailure(ran);
    expect(ran.stderr.trim()).toMatch(/Failed to authenticate: \S.+$/);
    expect(ran.stdout).toBe('');
  });

  it('3 · login TOKEN, then whoami', async () => {
    const ran = await phala(`login ${world.token}`, { key: null });
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).toContain('Welcome alice!');
    expect(await phala.json('whoami --json', { key: null })).toEqual({
      success: true,
      username: 'alice',
      email: 'alice@example.test',
      workspace: expect.any(String),
      profile: world.slug,
    });
    const saved = await phala.credentials();
    expect(saved.profiles[saved.current_profile]).toMatchObject({
      api_prefix: world.prefix,
      token: world.token,
    });
  });

  it('4 · login with a wrong token', async () => {
    const ran = await phala('login wrong', { key: null });
    expectFailure(ran);
    expect(ran.stderr).toContain('Invalid API key');
  });

  it('5 · status', async () => {
    expect(await phala.json('status --json')).toMatchObject({
      success: true,
      apiVersion: '2026-01-21',
      apiUrl: world.prefix,
      username: 'alice',
    });
  });

  it('6 · nodes list', async () => {
    const { items } = await phala.json<{ items: unknown[] }>('nodes list --json');
    expect(items).toEqual([
      expect.objectContaining({ object_type: 'node', name: 'local-teepod', status: 'ONLINE' }),
    ]);
  });

  it('7 · cvms list-nodes', async () => {
    const { nodes, kmsList } = await phala.json<{ nodes: unknown[]; kmsList: unknown[] }>(
      'cvms list-nodes --json',
    );
    expect(nodes).toEqual([
      expect.objectContaining({ name: 'local-teepod', images: expect.arrayContaining([expect.anything()]) }),
    ]);
    expect(kmsList).toEqual([expect.objectContaining({ slug: 'local' })]);
  });

  it('8 · instance-types', async () => {
    const all = await phala.json<{ result: { name: string; items: unknown[] }[] }>('instance-types --json');
    expect(all.result.map((family) => family.name)).toEqual(['cpu', 'gpu']);
    const cpu = await phala.json<{ items: { id: string }[]; family: string }>('instance-types cpu --json');
    expect(cpu.family).toBe('cpu');
    expect(cpu.items.map((type) => type.id)).toContain('tdx.small');
    const bogus = await phala('instance-types bogus');
    expectFailure(bogus);
    expect(bogus.stderr).toMatch(/no instance type family .bogus/);
  });

  it('9 · os-images --prod --all', async () => {
    const { items } = await phala.json<{ items: { is_dev: boolean }[] }>('os-images --prod --all --json');
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter((image) => image.is_dev)).toEqual([]);
  });

  it('10 · kms list and kms base', async () => {
    const list = await phala.json('kms list --json');
    expect(list).toMatchObject({ success: true, items: [] });
    const base = await phala.json('kms base --json');
    expect(base).toMatchObject({ success: true, chain_name: 'base', chain_id: 8453, contracts: [] });
  });

  it('11 · deploy', async () => {
    wire.take();
    first = await phala.json<Deployed>('deploy -n my-app -c docker-compose.yml --no-dev-os --json', {
      prefix: wire.prefix,
    });
    expect(first).toMatchObject({
      success: true,
      name: 'my-app',
      app_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      dashboard_url: expect.stringContaining(`/dashboard/cvms/${first.vm_uuid}`),
    });
    const seen = wire.take();
    expect(seen.map(call)).toEqual(['POST /cvms/provision', 'POST /cvms']);
    expect(seen[0]?.body).toMatchObject({ compose_file: { docker_compose_file: COMPOSE, allowed_envs: [] } });
    expect(seen[1]?.body).not.toHaveProperty('encrypted_env');

    await world.settled('my-app');
    const { endpoints } = await getCvm('my-app');
    const page = await visit(endpoints[0]?.app ?? '');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Hello from a container') });
  });

  it('12 · deploy with a secret', async () => {
    wire.take();
    second = await phala.json<Deployed>(
      'deploy -n my-app2 -c with-secret.yml -e FOO=bar -t tdx.small --json',
      {
        prefix: wire.prefix,
      },
    );
    expect(second).toMatchObject({ success: true, name: 'my-app2', vm_uuid: expect.any(String) });
    const seen = wire.take();
    expect(seen.map(call)).toEqual(['POST /cvms/provision', 'POST /cvms']);
    expect(seen[0]?.body).toMatchObject({ compose_file: { allowed_envs: ['FOO'] } });
    const sent = seen[1]?.body as { encrypted_env: string } | undefined;
    expect(await world.open(second.app_id, sent?.encrypted_env ?? '')).toEqual([
      { key: 'FOO', value: 'bar' },
    ]);

    await world.settled('my-app2');
    await eventually('the container prints its secret', async () => {
      const ran = await phala('logs web --cvm-id my-app2');
      return ran.code === 0 && ran.stdout.includes('FOO is bar');
    });
  });

  it('13 · deploy under a taken name', async () => {
    const ran = await phala('deploy -n my-app -c docker-compose.yml');
    expectFailure(ran);
    expect(ran.stderr).toMatch(/Error \[ERR-01-004\]: \S/);
  });

  it('14 · deploy on a nonexistent instance type', async () => {
    const ran = await phala('deploy -n my-app9 -c docker-compose.yml -t nope.type');
    expectFailure(ran);
    expect(ran.stderr).toMatch(
      /Error \[ERR-02-001\]: [^]*\nDetails:\n {2}- [^]*\nSuggestions:\n {2}- .*tdx\.small/,
    );
  });

  it('15 · cvms list and apps, filtered', async () => {
    const running = (deployed: Deployed) => ({
      appId: deployed.app_id,
      cvmName: deployed.name,
      status: 'running',
      uptime: expect.stringMatching(/\d/),
    });
    const both = expect.arrayContaining([running(first), running(second)]);
    const [all, found, one, none] = await Promise.all([
      phala.json<Apps>('cvms list --json'),
      phala.json<Apps>('apps --search my-app --status running --json'),
      phala.json<Apps>('apps --search my-app2 --json'),
      phala.json<Apps>('apps --search my-app --status stopped --json'),
    ]);
    expect(all.items).toEqual(both);
    expect(all.items).toHaveLength(2);
    expect(found.items).toEqual(both);
    expect(one.items).toEqual([running(second)]);
    expect(none.items).toEqual([]);
  });

  it('16 · cvms get by each of its identifiers, in both versions', async () => {
    const { app_id, vm_uuid, instance_id, id } = await getCvm('my-app');
    const prefixed = [`app_${app_id}`, `0x${app_id}`, `instance_${instance_id}`];
    const ids = ['my-app', vm_uuid, app_id, ...prefixed, String(id)];
    expect(id).toMatch(/^cvm_/);
    for (const one of ids) {
      const [now, old] = await Promise.all([
        getCvm(one),
        phala.json<Cvm>(`cvms get ${one} --json --api-version 2025-10-28`),
      ]);
      expect(now, one).toMatchObject({ id, vm_uuid });
      expect(old, one).toMatchObject({ id: expect.any(Number), vm_uuid });
    }
  });

  it('17 · cvms get of an unknown CVM', async () => {
    await expectNotFound('nosuchcvm');
  });

  it('18 · cvms stop, start, restart', async () => {
    const steps = [
      ['stop', 'stopping', 'stopped'],
      ['start', 'starting', 'running'],
      ['restart', 'restarting', 'running'],
    ] as const;
    for (const [verb, passing, end] of steps) {
      const done = await phala.json(`cvms ${verb} my-app --json`);
      expect(done).toMatchObject({
        success: true,
        cvm: { name: 'my-app', vm_uuid: first.vm_uuid, status: passing },
        message: `CVM ${verb} requested`,
      });
      await world.settled('my-app', end);
    }
  });

  it('19 · deploy a change and wait for it', async () => {
    const update = async (value: string) => {
      wire.take();
      const done = await phala.json(
        `deploy --cvm-id my-app -c docker-compose.yml -e FOO=${value} --wait --json`,
        { prefix: wire.prefix },
      );
      expect(done).toMatchObject({ success: true });
      const seen = wire.take();
      const patched = seen.findIndex((one) => one.method === 'PATCH');
      expect(seen[patched]).toMatchObject({
        path: '/cvms/my-app',
        status: 202,
        body: { docker_compose_file: COMPOSE, allowed_envs: ['FOO'] },
        reply: { correlation_id: expect.any(String) },
      });
      // It waited for the change, not for the state before it.
      expect(seen.at(-1)?.reply).toMatchObject({ status: 'running', progress: null });
      const { body } = await world.person.call('listCvmOperations', { path: { cvm_id: 'my-app' } });
      expect((body as { data: unknown[] }).data[0]).toMatchObject({
        correlation_id: (seen[patched]?.reply as { correlation_id?: string } | undefined)?.correlation_id,
        state: 'succeeded',
      });
      return (await getCvm('my-app')).compose_hash;
    };
    const before = (await getCvm('my-app')).compose_hash;
    const added = await update('baz');
    expect(added).not.toBe(before);
    expect(await update('qux')).toBe(added);
    const { body } = await world.person.call('listAppRevisions', { path: { app_id: first.app_id } });
    const revisions = (body as { revisions: { compose_hash: string }[] }).revisions;
    expect(new Set(revisions.map((one) => one.compose_hash))).toEqual(new Set([before, added]));
  });

  it('20 · envs update and envs encrypt', async () => {
    const updated = await phala('envs update my-app -e FOO=1 -e NEW=2');
    expect(updated.code, updated.stderr).toBe(0);
    expect(updated.stdout + updated.stderr).toMatch(/Environment update initiated \(correlation_id: \S+\)/);
    const sealed = await phala('envs encrypt my-app -e A=b');
    expect(sealed.code).toBe(0);
    const blob = sealed.stdout.trim();
    expect(blob).toMatch(/^[0-9a-f]{120,}$/);
    expect(await world.open(first.app_id, blob)).toEqual([{ key: 'A', value: 'b' }]);
    await world.settled('my-app');
  });

  it('21 · cvms resize', async () => {
    const done = await phala.json(
      'cvms resize my-app --vcpu 2 --memory 4096 --disk-size 60 --allow-restart yes -y --json',
    );
    expect(done).toMatchObject({ success: true, vcpu: 2, memory: 4096, disk_size: 60 });
    await world.settled('my-app');
    expect((await getCvm('my-app')).resource).toMatchObject({ vcpu: 2, memory_in_gb: 4, disk_in_gb: 60 });
  });

  it('22 · cvms replicate, instances ls, instances rm', async () => {
    const instances = async () => {
      const { success, ...rows } = await phala.json<Record<string, Cvm>>(
        `instances ls --app-id ${first.app_id} --json`,
      );
      expect(success).toBe(true);
      return Object.values(rows);
    };
    const replica = await phala.json<{ vm_uuid: string; app_id: string }>('cvms replicate my-app --json');
    expect(replica.app_id).toBe(first.app_id);
    expect(replica.vm_uuid).not.toBe(first.vm_uuid);
    await world.settled(replica.vm_uuid);
    const two = await instances();
    expect(two.map((one) => one.app_id)).toEqual([first.app_id, first.app_id]);
    expect(two.map((one) => one.vm_uuid).sort()).toEqual([first.vm_uuid, replica.vm_uuid].sort());
    const removed = await phala.json(`instances rm ${replica.vm_uuid} -f --json`);
    expect(removed).toMatchObject({ success: true });
    await world.gone(replica.vm_uuid);
    expect((await instances()).map((one) => one.vm_uuid)).toEqual([first.vm_uuid]);
  });

  it('23 · ps, logs of a container, serial log', async () => {
    const stopping = phala('cvms stop my-app2 --json');
    const ps = await phala.json<{ containers: { names: string[]; state: string; log_endpoint: string }[] }>(
      'ps my-app --json',
    );
    expect(ps.containers).toHaveLength(1);
    const [web] = ps.containers;
    expect(web).toMatchObject({ state: 'running', names: expect.arrayContaining(['/web']) });
    expect((await fetch(web?.log_endpoint ?? '')).status).toBe(200);

    // A visitor adds a log line.
    await visit((await getCvm('my-app')).endpoints[0]?.app ?? '');
    await eventually('the visit is in the log', async () => {
      const ran = await phala('logs web --cvm-id my-app -n 20');
      return ran.code === 0 && ran.stdout.includes('response:200');
    });
    const serial = await phala('logs --serial --cvm-id my-app -n 20');
    expect(serial.code).toBe(0);
    expect(serial.stdout).toContain('dstack: done');
    expect(serial.stdout.trim().split('\n').length).toBeLessThanOrEqual(20);

    expect((await stopping).code).toBe(0);
    await world.settled('my-app2', 'stopped');
    const fallback = await phala('logs --cvm-id my-app2');
    expect(fallback.code).toBe(0);
    expect(fallback.stderr).toMatch(/stopped.*serial/i);
    expect(fallback.stdout).toContain('dstack: done');
  });

  it('24 · attestation, runtime-config, ssh --dry-run', async () => {
    const [attestation, config, ssh, { gateway }] = await Promise.all([
      phala.json('cvms attestation my-app --json'),
      phala.json('runtime-config my-app --json'),
      phala('ssh my-app --dry-run'),
      getCvm('my-app'),
    ]);
    expect(attestation).toMatchObject({
      is_online: true,
      tcb_info: { mrtd: expect.stringMatching(/^[0-9a-f]{96}$/) },
    });
    expect(config).toMatchObject({ success: true, hostname: 'my-app' });
    expect(ssh.code).toBe(0);
    const [domain, port] = gateway.base_domain.split(':');
    expect(ssh.stdout).toContain(`root@${first.app_id}-22.${domain}`);
    expect(ssh.stdout).toContain(`-p ${port}`);
  });

  it('25 · ssh-keys, link, cvms delete', async () => {
    const added = await phala.json<{ id: string }>('ssh-keys add --name t --key-file k.pub --json');
    const listed = await phala.json<Record<string, unknown>>('ssh-keys list --json');
    expect(listed['0']).toMatchObject({ id: added.id, name: 't', public_key: SSH_KEY });
    expect((await phala(`ssh-keys remove ${added.id} --json`)).code).toBe(0);
    expect(await phala.json('ssh-keys list --json')).toEqual({ success: true });

    const linked = await phala('link my-app');
    expect(linked.code, linked.stderr).toBe(0);
    expect(await phala.read('phala.toml')).toContain(`app_id = "${first.app_id}"`);
    const ps = await phala('ps', { key: null });
    expect(ps.code, ps.stderr).toBe(0);
    expect(ps.stdout).toContain('nginx:alpine');

    expect(await phala.json('cvms delete my-app -f --json')).toMatchObject({ success: true, deleted: true });
    await world.gone(first.vm_uuid);
    await expectNotFound(first.vm_uuid);
  });
});

async function expectNotFound(id: string): Promise<void> {
  const ran = await phala(`cvms get ${id} --json`);
  expectFailure(ran);
  expect(jsonOf(ran)).toEqual({ success: false, error: 'The requested CVM was not found' });
}
