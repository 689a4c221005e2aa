import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { eventDigest, replay, type LogEvent } from './attestation';
import { appCompose, Client, startInProcess, temporaryDirectory, vmConfig } from './testing/client';
import type { Teepod } from './server';
import type { VmInfo } from './vmInfo';

const COMPOSE = 'services:\n  web: {image: nginx, ports: ["80"]}\n  db: {image: postgres}\n';
const SIMULATED = { TEEPOD_ENGINE: 'simulate', TEEPOD_MAX_CVMS: '150' };

let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, SIMULATED);
  client = new Client(teepod.listen);
});
afterAll(async () => {
  await teepod.close();
  await dir.remove();
});

describe('transport', () => {
  test('accepts JSON mode by query, content type and GET, and rejects protobuf with an explanation', async () => {
    expect(await client.rpc('Version')).toEqual({
      version: '0.6.0+teehouse',
      rev: 'local teepod, no hardware TEE',
    });
    const byType = await client.text('/prpc/Version', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(byType.status).toBe(200);
    expect(byType.headers['x-app-version']).toContain('0.6.0');
    const byGet = await client.text('/prpc/Status?brief=true&ids[]=nobody');
    expect(JSON.parse(byGet.body)).toEqual({ vms: [], port_mapping_enabled: false, total: 0 });
    const binary = await client.text('/prpc/Version', { method: 'POST', body: '' });
    expect([binary.status, binary.body]).toEqual([400, expect.stringContaining('JSON')]);
  });

  test('trims only the prefix Teepod. and distinguishes unknown methods, unknown paths and malformed bodies', async () => {
    expect((await client.raw('/prpc/Teepod.Version', {})).status).toBe(200);
    expect(await client.raw('/prpc/Vmm.Version', {})).toEqual({
      status: 400,
      body: { error: 'Service not found: Vmm.Version' },
    });
    expect((await client.raw('/prpc/constructor', {})).status).toBe(400);
    expect((await client.text('/nothing')).status).toBe(404);
    expect((await client.text('/prpc/Status?json', { method: 'POST', body: '{' })).status).toBe(400);
    expect((await client.raw('/prpc/Status', [])).status).toBe(400);
    await expect(client.rpc('CreateVm', { name: 7 })).rejects.toThrow(/name/);
    await expect(client.rpc('CreateVm', { vcpu: null })).rejects.toThrow(/vcpu/);
    await expect(client.rpc('GetAppEnvEncryptPubKey', { app_id: 'zz' })).rejects.toThrow(/hex/);
  });

  test('rejects a body over 10 MiB', async () => {
    const reply = await client.text('/prpc/GetComposeHash?json', {
      method: 'POST',
      body: JSON.stringify({ compose_file: 'x'.repeat(10 * 2 ** 20) }),
    });
    expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('payload too large')]);
  });

  test('requires the token on every path', async () => {
    const other = await temporaryDirectory();
    const guarded = await startInProcess(other.path, {
      ...SIMULATED,
      TEEPOD_TOKEN: 'sesame',
      TEEPOD_LISTEN: `unix:${other.path}/t.sock`,
    });
    try {
      const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
      const status = async (headers: Record<string, string>, path = '/prpc/Version?json', method = 'POST') =>
        (
          await new Client(guarded.listen).text(path, {
            method,
            headers,
            ...(method === 'POST' ? { body: '{}' } : {}),
          })
        ).status;
      for (const path of [
        '/prpc/Version?json',
        '/kms/prpc/GetMeta?json',
        '/guest/Info?json',
        '/logs?id=x',
        '/agent/x/logs/y',
        '/',
      ])
        expect(await status({}, path)).toBe(401);
      const denied = await new Client(guarded.listen).text('/prpc/Version?json', {
        method: 'POST',
        body: '{}',
      });
      expect([denied.body, denied.headers['www-authenticate']]).toEqual(['', 'Basic realm="dstack-vmm API"']);
      for (const headers of [
        { authorization: 'Bearer sesame' },
        { 'x-admin-token': 'sesame' },
        basic('any:sesame'),
        basic('sesame:'),
      ])
        expect(await status(headers)).toBe(200);
      for (const headers of [
        { authorization: 'Bearer nope' },
        basic('sesame:wrong'),
        { 'x-admin-token': '' },
      ])
        expect(await status(headers)).toBe(401);
      expect(await status({}, '/prpc/Version?token=sesame', 'GET')).toBe(200);
      expect(await status({}, '/prpc/Version?json&token=sesame', 'POST')).toBe(401);
    } finally {
      await guarded.close();
      await other.remove();
    }
  });
});

describe('CVM lifecycle', () => {
  test('creates, boots, stops, starts and removes a CVM, and accepts a second removal', async () => {
    const id = await client.create(COMPOSE, { name: 'life' });
    const up = await client.booted(id);
    expect(up).toMatchObject({
      status: 'running',
      boot_progress: 'done',
      boot_error: '',
      image_version: '0.6.0',
      exited_at: 'never',
    });
    expect(up.app_id).toBe(createHash('sha256').update(appCompose(COMPOSE)).digest('hex').slice(0, 40));
    expect(up.instance_id).toMatch(/^[0-9a-f]{40}$/);
    expect(up.app_url).toBe(`http://${up.instance_id}-8090.cvm.localhost:${teepod.gateway_port}`);
    expect(up.events.filter((one) => one.event === 'boot.progress').map((one) => one.body)).toEqual([
      'initializing data disk',
      'requesting app keys',
      'data disk ready',
      'setting up dstack-gateway',
      'setting up docker',
      'starting containers',
      'done',
    ]);
    const { containers } = await client.rpc<{
      containers: { names: string[]; state: string; status: string }[];
    }>('/guest/ListContainers', { id });
    expect(containers.map((one) => one.names)).toEqual([
      ['/dstack-db-1', '/db'],
      ['/dstack-web-1', '/web'],
    ]);
    expect(containers.every((one) => one.state === 'running' && one.status.includes('(simulated)'))).toBe(
      true,
    );

    expect(await client.rpc('StopVm', { id })).toBeNull();
    const down = await client.status(id, 'stopped');
    expect(down.exited_at).toMatch(/^(?:\d+[hms] ?)+$/);
    await client.rpc('StartVm', { id });
    const again = await client.booted(id);
    expect([again.status, again.instance_id]).toEqual(['running', up.instance_id]);
    await client.rpc('StartVm', { id });
    expect((await client.info(id)).boot_progress).toBe('running');

    await client.rpc('ShutdownVm', { id });
    await client.status(id, 'stopped');
    await expect(client.rpc('ShutdownVm', { id })).rejects.toThrow(/guest/);
    await client.rpc('RemoveVm', { id });
    await client.rpc('RemoveVm', { id }).catch((error: Error) => expect(error.message).toBe('VM not found'));
    await client.gone(id);
    await expect(client.rpc('StartVm', { id })).rejects.toThrow('VM not found');
  });

  test('leaves a CVM created as stopped until it is started', async () => {
    const id = await client.create(COMPOSE, { stopped: true });
    expect(await client.info(id)).toMatchObject({ status: 'stopped', instance_id: null, app_url: null });
    await client.rpc('StartVm', { id });
    expect((await client.booted(id)).status).toBe('running');
    await client.remove(id);
  });

  test('ends in the last requested state after rapid stops and starts', async () => {
    const id = await client.create(COMPOSE);
    await client.rpc('StopVm', { id });
    await client.rpc('StartVm', { id });
    expect(await client.booted(id)).toMatchObject({ status: 'running', boot_progress: 'done' });
    await client.rpc('StartVm', { id });
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
    await client.rpc('RemoveVm', { id });
    await client.gone(id);
  });

  test('applies an update at the next boot, keeps the app ID and returns the compose hash', async () => {
    const id = await client.create(COMPOSE);
    const before = await client.booted(id);
    const text = appCompose(COMPOSE.replace('db', 'cache'));
    const hash = createHash('sha256').update(text).digest('hex');
    expect(await client.rpc('UpdateVm', { id, compose_file: text })).toEqual({ id: hash.slice(0, 40) });
    expect(await client.rpc('UpgradeApp', { id, user_config: 'x' })).toEqual({ id: '' });
    const running = async () => {
      const { tcb_info } = await client.rpc<{ tcb_info: string }>('/guest/Info', { id });
      return (JSON.parse(tcb_info) as { compose_hash: string }).compose_hash;
    };
    expect(await running()).not.toBe(hash);
    expect((await client.info(id)).configuration?.compose_file).toBe(text);
    await expect(client.rpc('UpdateVm', { id, memory: 256 })).rejects.toThrow(/stopped/);
    await expect(client.rpc('UpdateVm', { id, compose_file: 'no json' })).rejects.toThrow(/compose/);
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
    await client.rpc('UpdateVm', { id, memory: 256, image: 'dstack-local-dev-0.6.0' });
    await expect(client.rpc('ResizeVm', { id, disk_size: 1 })).rejects.toThrow(/shrink/);
    await client.rpc('ResizeVm', { id, vcpu: 2 });
    await client.rpc('StartVm', { id });
    const after = await client.booted(id);
    expect(after.configuration).toMatchObject({
      memory: 256,
      vcpu: 2,
      image: 'dstack-local-dev-0.6.0',
      user_config: 'x',
    });
    expect([after.app_id, await running()]).toEqual([before.app_id, hash]);
    await client.remove(id);
  });

  test('sets boot_error with the location for a rejected compose file while the CVM stays up', async () => {
    const id = await client.create('services: {web: {image: nginx, privileged: true}}');
    const info = await client.booted(id);
    expect(info.status).toBe('running');
    expect(info.boot_error).toContain('failed to start containers: services.web.privileged');
    await client.remove(id);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Invalid name', { name: 'a/b' }],
    ['Invalid image', { image: '../x' }],
    ['Image not found', { image: 'dstack-9.9.9' }],
    ['Invalid vcpu', { vcpu: 0 }],
    ['Invalid compose file', { compose_file: '[]' }],
    ['Invalid app_id', { app_id: '12' }],
    ['Port mapping is disabled', { ports: [{ protocol: 'tcp', host_port: 80, vm_port: 80 }] }],
    ['GPU is not enabled', { gpus: { attach_mode: 'all' } }],
    ['key provider', { compose_file: appCompose(COMPOSE, { key_provider: 'none' }), encrypted_env: '00' }],
  ])('CreateVm rejects %s', async (reason, change) => {
    const { total } = await client.rpc<{ total: number }>('Status', { brief: true });
    await expect(client.rpc('CreateVm', vmConfig(COMPOSE, change))).rejects.toThrow(reason);
    expect((await client.rpc<{ total: number }>('Status', { brief: true })).total).toBe(total);
  });
});

describe('queries', () => {
  test('Status filters by keyword, IDs and page; brief omits the configuration', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++)
      ids.push(
        await client.create(COMPOSE, {
          name: `page ${index}`,
          stopped: true,
          app_id: `0x${'AB'.repeat(20)}`,
        }),
      );
    type Reply = { vms: VmInfo[]; total: number };
    const second = await client.rpc<Reply>('Status', {
      keyword: 'page ',
      page: 2,
      page_size: 2,
      brief: true,
    });
    expect([second.total, second.vms.map((vm) => vm.name)]).toEqual([5, ['page 2', 'page 3']]);
    expect(second.vms[0]?.configuration).toBeNull();
    expect((await client.rpc<Reply>('Status', { keyword: 'abab' })).total).toBe(5);
    const one = await client.rpc<Reply>('Status', { ids: [ids[4]] });
    expect(one.vms.map((vm) => [vm.id, vm.app_id])).toEqual([[ids[4], 'ab'.repeat(20)]]);
    expect(one.vms[0]?.configuration).toMatchObject({ name: 'page 4', networks: [] });
    expect(await client.rpc('GetInfo', { id: 'nobody' })).toEqual({ found: false, info: null });
    for (const id of ids) await client.remove(id);
  });

  test('returns the compose hash, images, GPUs, metadata and KMS', async () => {
    const text = '{"manifest_version": 2, "name": "ü", "runner": "docker-compose"}\n';
    expect(await client.rpc('GetComposeHash', { compose_file: text })).toEqual({
      hash: createHash('sha256').update(text).digest('hex'),
    });
    const { images } = await client.rpc<{ images: { name: string; description: string; is_dev: boolean }[] }>(
      'ListImages',
    );
    expect(images.map((image) => [image.name, image.is_dev])).toEqual([
      ['dstack-local-0.6.0', false],
      ['dstack-local-dev-0.6.0', true],
    ]);
    expect(JSON.parse(images[0]?.description ?? '')).toMatchObject({ simulated: true });
    expect(await client.rpc('ListGpus')).toEqual({ gpus: [], allow_attach_all: false });
    const meta = await client.rpc<{
      kms: { url: string };
      gateway: { base_domain: string };
      resources: object;
    }>('GetMeta');
    expect(meta.gateway.base_domain).toBe(`cvm.localhost:${teepod.gateway_port}`);
    expect(meta.resources).toEqual({
      max_cvm_number: 150,
      max_allocable_vcpu: 20,
      max_allocable_memory_in_mb: 100_000,
    });
    expect(meta.kms.url).toBe(`${teepod.listen}/kms`);
    const kms = await client.rpc<{ k256_pubkey: string; is_dev: boolean }>('/kms/prpc/GetMeta');
    expect([kms.k256_pubkey.length, kms.is_dev]).toEqual([66, true]);
    const [a, b] = await Promise.all([
      client.rpc<{ public_key: string }>('GetAppEnvEncryptPubKey', { app_id: `0x${'11'.repeat(20)}` }),
      client.rpc<{ public_key: string }>('/kms/prpc/GetAppEnvEncryptPubKey', { app_id: '11'.repeat(20) }),
    ]);
    expect(a.public_key).toBe(b.public_key);
  });

  test('marks attestation as simulated, with an event log that replays to its RTMR3', async () => {
    const id = await client.create(COMPOSE);
    await expect(client.rpc('/guest/Info', { id: 'nobody' })).rejects.toThrow('VM not found');
    const info = await client.booted(id);
    const { tcb_info, app_cert } = await client.rpc<{ tcb_info: string; app_cert: string }>('/guest/Info', {
      id,
    });
    const tcb = JSON.parse(tcb_info) as {
      simulated: boolean;
      mrtd: string;
      rtmr3: string;
      event_log: LogEvent[];
      app_compose: string;
    };
    expect([tcb.simulated, app_cert, /^0+$/.test(tcb.mrtd)]).toEqual([true, '', true]);
    expect(replay(tcb.event_log)).toBe(tcb.rtmr3);
    expect(tcb.app_compose).toBe(appCompose(COMPOSE));
    expect(tcb.event_log.map((one) => one.event)).toEqual([
      'system-preparing',
      'app-id',
      'compose-hash',
      'instance-id',
      'boot-mr-done',
      'os-image-hash',
      'key-provider',
      'storage-fs',
      'system-ready',
    ]);
    expect(tcb.event_log.find((one) => one.event === 'instance-id')?.event_payload).toBe(info.instance_id);
    const sys = await client.rpc<{ total_memory: number; num_cpus: number; measured: string }>(
      '/guest/SysInfo',
      { id },
    );
    expect([sys.total_memory > 0, sys.num_cpus > 0]).toEqual([true, true]);
    // A simulated CVM can't be measured, and its metrics are marked accordingly.
    expect(sys.measured).toBe('machine');
    expect(await client.rpc('/guest/NetworkInfo', { id })).toMatchObject({ interfaces: [], wg_info: '' });
    await client.remove(id);
  });

  test('computes event digests like dstack', () => {
    expect(
      eventDigest(
        'compose-hash',
        Buffer.from('3763bc34552cf3a27ff71ad5f7a90471562a1a2df552dfc1998cba2d60da27e7', 'hex'),
      ),
    ).toBe(
      'b883bee0b216618b1ce0e7a1bb4a9379b486cef8aadf0c682cb6e80c083f7982dbf104183c24a74693d860f4ffc8b72f',
    );
    expect(eventDigest('system-ready', Buffer.alloc(0))).toBe(
      '1a76b2a80a0be71eae59f80945d876351a7a3fb8e9fd1ff1cede5734aa84ea11fd72b4edfbb6f04e5a85edd114c751bd',
    );
  });
});

test('runs 100 CVMs concurrently', async () => {
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_, index) => client.create(COMPOSE, { name: `crowd ${index}` })),
  );
  expect(new Set(ids).size).toBe(100);
  await Promise.all(ids.map((id) => client.booted(id)));
  const { total } = await client.rpc<{ total: number }>('Status', { brief: true, keyword: 'crowd' });
  expect(total).toBe(100);
  await Promise.all(ids.map((id) => client.rpc('RemoveVm', { id })));
  await Promise.all(ids.map((id) => client.gone(id)));
});
