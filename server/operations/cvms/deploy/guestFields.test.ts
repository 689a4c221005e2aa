import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Preflight, Problem, Provision } from '../../../../generated/api/types.gen';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Fields of app-compose.json that not every host and image supports. */
let server: TestServer;
let fake: FakeVmm;
let host: TestHost;
let member: TestClient;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  host = await insertHost(db, { name: 'guests', url: fake.url, kind: 'dstack_vmm' });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey, ca_pubkey: 'ab'.repeat(45) })
    .where('id', '=', host.kms.id)
    .execute();
  await db
    .insertInto('os_images')
    .values({ name: 'dstack-0.5.4', slug: 'dstack-0.5.4-00000000', version: '0.5.4' })
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db,
  );
  member = await server.register();
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const docker_compose_file = 'services:\n  web:\n    image: nginx:alpine\n';
const ROOT = 'cd'.repeat(32);
const ALL = {
  runner: 'nerdctl-compose',
  snapshotter: 'stargz',
  init_script: ['echo one', 'echo two'],
  swap_size: '2G',
  key_provider_id: `0x${'ab'.repeat(45)}`,
  event_log_version: 2,
  port_policy: { ports: [{ port: 443, pp: true }], restrict_mode: true },
  requirements: { os_version: '>=0.6.0', platforms: [], gpu_policy: { attest_gpu: false } },
  verity_volumes: [{ source: 'models.img', verity_root: ROOT, target: '/models' }],
};
const request = (name: string, compose_file: object, more: object = {}) => ({
  body: { name, compose_file: { docker_compose_file, ...compose_file }, ...more },
});
const refusal = ({ body }: { body: unknown }) => {
  const { message, details, suggestions } = body as Problem;
  return { message, field: details?.[0]?.field, advice: suggestions?.[0] };
};
const composeOf = async (app_id: string | null) => {
  const { app_compose } = await server.services.db
    .selectFrom('provisions')
    .select('app_compose')
    .where('app_id', '=', app_id ?? '')
    .executeTakeFirstOrThrow();
  return JSON.parse(app_compose) as Record<string, unknown>;
};
const setHost = (change: { version?: string; kind?: 'local' | 'dstack_vmm' }) =>
  server.services.db.updateTable('teepods').set(change).where('id', '=', host.teepod.id).execute();

it('reach the guest unchanged, and survive an unrelated update', async () => {
  const provisioned = await member.call('provisionCvm', request('all-fields', ALL));
  expect([provisioned.status, provisioned.body]).toMatchObject([200, {}]);
  expect(provisioned.headers.get('x-ignored-keys')).toBeNull();
  const { app_id, compose_hash } = provisioned.body as Provision;
  const { key_provider_id: _, ...rest } = ALL;
  expect(await composeOf(app_id)).toMatchObject({
    ...rest,
    key_provider_id: 'ab'.repeat(45),
    manifest_version: '3',
  });

  const created = await member.call('createCvm', { body: { app_id, compose_hash } });
  expect(created.status).toBe(200);
  const { vm_uuid } = created.body as { vm_uuid: string };
  const detail = await member.call('getCvm', { path: { cvm_id: vm_uuid } });
  expect(detail.body).toMatchObject({ compose_file: rest });

  const drafted = await member.call('provisionCvmComposeFile', {
    path: { cvm_id: vm_uuid },
    body: { swap_size: 0, verity_volumes: [], public_logs: false },
  });
  expect([drafted.status, drafted.body]).toMatchObject([200, {}]);
  const { rows } = await sql<{
    change: object;
  }>`select change from compose_drafts where compose_hash = ${(drafted.body as { compose_hash: string }).compose_hash}`.execute(
    server.services.db,
  );
  expect(rows[0]?.change).toEqual({ swap_size: 0, verity_volumes: [], public_logs: false });
});

it('leave a file without them unchanged', async () => {
  const { body } = await member.call(
    'provisionCvm',
    request('no-fields', { swap_size: '0', init_script: '' }),
  );
  const compose = await composeOf((body as Provision).app_id);
  expect(compose).toMatchObject({ manifest_version: 2, runner: 'docker-compose' });
  expect(Object.keys(compose)).not.toContain('swap_size');
});

it('are reported by the preflight with a supporting image', async () => {
  const { body } = await member.call('deployPreflight', request('asked-before', { swap_size: '2G' }));
  expect(body as Preflight).toMatchObject({
    fits: true,
    os_image: 'dstack-0.6.0',
    guest_fields: ['swap_size'],
  });
});

it('that no guest reads are reported by the preflight: SSH keys and host name', async () => {
  const kinds = async (allowed_envs: string[] = []) => {
    const { body } = await member.call('deployPreflight', request('with-keys', { allowed_envs }));
    return (body as Preflight).warnings.map(({ kind }) => kind);
  };
  expect(await kinds()).not.toContain('ssh_keys_ignored');
  const { db } = server.services;
  const { user_id } = await identityOf(db, member.email!);
  await db
    .insertInto('ssh_keys')
    .values({
      user_id,
      public_id: 'sshkey_test',
      name: 'laptop',
      public_key: 'ssh-ed25519 AAAA',
      fingerprint: 'SHA256:test',
      key_type: 'ssh-ed25519',
    })
    .execute();
  expect(await kinds()).toContain('ssh_keys_ignored');
  expect(await kinds(['DSTACK_AUTHORIZED_KEYS'])).not.toContain('ssh_keys_ignored');
});

it('are rejected by name on an image or host that would ignore them', async () => {
  const old = { image: 'dstack-0.5.4' };
  expect(refusal(await member.call('provisionCvm', request('old-image', { swap_size: 1024 }, old)))).toEqual({
    message: 'swap_size requires an OS image with dstack 0.5.5 or later; dstack-0.5.4 has 0.5.4.',
    field: 'compose_file.swap_size',
    advice: 'Use another host or OS image, or leave swap_size out.',
  });
  await setHost({ version: '0.5.11' });
  for (const [field, text] of [
    ['requirements', 'requirements requires a host with dstack-vmm 0.6.0 or later; guests has 0.5.11.'],
    [
      'init_script',
      'A list of init scripts requires a host with dstack-vmm 0.6.0 or later; guests has 0.5.11.',
    ],
    [
      'runner',
      'The nerdctl-compose runner requires a host with dstack-vmm 0.6.0 or later; guests has 0.5.11.',
    ],
  ] as const) {
    const answer = await member.call('provisionCvm', request('old-host', { [field]: ALL[field] }));
    expect([answer.status, refusal(answer)]).toMatchObject([
      400,
      { message: text, field: `compose_file.${field}` },
    ]);
  }
  expect((await member.call('provisionCvm', request('one-script', { init_script: 'echo' }))).status).toBe(
    200,
  );
  await setHost({ version: '0.6.0', kind: 'local' });
  expect(
    refusal(await member.call('deployPreflight', request('local-host', { port_policy: ALL.port_policy }))),
  ).toMatchObject({ message: "The host guests is a local teepod, which doesn't support port_policy." });
  await setHost({ kind: 'dstack_vmm' });
});

it('are rejected in combinations that no guest accepts', async () => {
  const volume = ALL.verity_volumes[0];
  for (const [field, fields] of [
    ['snapshotter', { snapshotter: 'stargz' }],
    ['verity_volumes', { verity_volumes: [volume, { ...volume, source: 'other.img' }] }],
    ['port_policy', { port_policy: { ports: [{ port: 80 }, { port: 80, pp: true }] } }],
    ['key_provider_id', { key_provider_id: 'ff' }],
    ['runner', { runner: 'bash' }],
    ['swap_size', { swap_size: '20G' }],
    ['swap_size', { swap_size: '999999999999999t' }],
    ['swap_size', { swap_size: 9007199254740991 }],
  ] as const)
    expect(refusal(await member.call('provisionCvm', request('combined', fields))), field).toMatchObject({
      field: `compose_file.${field}`,
      advice: expect.any(String),
    });
});

it('are rejected with unknown keys, and a launch token by name', async () => {
  for (const [fields, at] of [
    [
      { requirements: { os_version_policy: '>=0.6.0' } },
      ['body', 'compose_file', 'requirements', 'os_version_policy'],
    ],
    [
      { requirements: { launch_token_hash: ROOT } },
      ['body', 'compose_file', 'requirements', 'launch_token_hash'],
    ],
    [{ bash_script: 'echo' }, ['body', 'compose_file', 'bash_script']],
    [{ port_policy: { restricted: true } }, ['body', 'compose_file', 'port_policy', 'restricted']],
  ] as const) {
    const answer = await member.call('provisionCvm', request('unknown', fields));
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: at }] }]);
  }
});

describe('host ports and GPUs', () => {
  const ports = (...host_ports: number[]) =>
    host_ports.map((host_port) => ({ protocol: 'tcp', host_port, vm_port: 80 }));
  const allow = (change: { port_mapping?: boolean; attach_all_gpus?: boolean }) =>
    server.services.db.updateTable('teepods').set(change).where('id', '=', host.teepod.id).execute();
  const deploy = (name: string, more: object, client = member) =>
    client.call('provisionCvm', request(name, {}, more));

  it('are rejected by name on a host that does not allow them', async () => {
    await allow({ port_mapping: false });
    const mapped = { ports: ports(8080) };
    for (const operation of ['provisionCvm', 'deployPreflight'] as const)
      expect(refusal(await member.call(operation, request('not-mapped', {}, mapped)))).toEqual({
        message: "guests doesn't map its ports to CVMs.",
        field: 'ports',
        advice: expect.stringContaining('teepod_id'),
      });
    await server.services.db.updateTable('os_images').set({ requires_gpu: true }).execute();
    const all = { instance_type: 'h200.small', gpus: { attach_mode: 'all' } };
    const why = async () => refusal(await deploy('all-gpus', all));
    expect(await why()).toMatchObject({
      message: "guests doesn't attach all of its GPUs to one CVM.",
      field: 'gpus.attach_mode',
    });
    await allow({ attach_all_gpus: true });
    expect((await why()).message).toContain('guests has 0 GPUs, not 1');
    await server.services.db.updateTable('os_images').set({ requires_gpu: false }).execute();
    expect(refusal(await deploy('no-gpus', { gpus: { attach_mode: 'all' } }))).toMatchObject({
      message: 'tdx.small has no GPUs.',
      field: 'gpus.attach_mode',
    });
  });

  it('are each assigned to one CVM of the host', async () => {
    await allow({ port_mapping: true });
    expect(refusal(await deploy('twice', { ports: ports(8081, 8081) }))).toMatchObject({
      field: 'ports.1.host_port',
    });
    const other = await server.register();
    const answers = await Promise.all([
      deploy('first', { ports: ports(8082, 8083) }),
      deploy('second', { ports: ports(8083) }, other),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(refusal(await deploy('third', { ports: ports(9000, 8083) }))).toMatchObject({
      message: 'Port 8083/tcp of guests is mapped to another CVM.',
      field: 'ports.1.host_port',
    });
    const udp = { ports: [{ protocol: 'udp', host_port: 8083, vm_port: 53 }] };
    expect((await deploy('other-protocol', udp)).status).toBe(200);
    // Repeating the deployment replaces its reservation.
    expect((await deploy('other-protocol', udp)).status).toBe(200);
    const { app_id, compose_hash } = (await deploy('committed', { ports: ports(8084) })).body as Provision;
    expect((await member.call('createCvm', { body: { app_id, compose_hash } })).status).toBe(200);
    expect((await deploy('after', { ports: ports(8084) }, other)).status).toBe(400);
    const network = await member.call('getCvmNetwork', { path: { cvm_id: app_id ?? '' } });
    expect(network.body).toMatchObject({ host_ports: { requested: ports(8084), mappings: [] } });
  });
});
