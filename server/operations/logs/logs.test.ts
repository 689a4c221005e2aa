import * as sdk from '@phala/cloud';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/schema';
import { signLogToken } from '../../domain/logUrls';
import { vmName } from '../../domain/vmName';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertToken,
  logReaderOf,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** A CVM on a host that answers: what its guest says, and its logs as the command line fetches them, without a header. */
let server: TestServer;
let fake: FakeVmm;
let person: TestClient;
let host: TestHost;
let app: TestApp;
let cvm: CvmRow;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  person = await server.register();
  const who = await identityOf(db, person.email!);
  token = await insertToken(db, who);
  host = await insertHost(db, { name: 'answering', url: fake.url });
  app = await insertApp(db, { ...who, host, name: 'logging' });
  cvm = await insertCvm(db, { ...app, host, ...who });
  const driver = server.services.vmm.get(host.teepod);
  const host_vm_id = await driver.createVm({
    name: vmName(cvm),
    image: 'dstack-0.6.0',
    compose_file: app.revision.app_compose,
    vcpu: 1,
    memory: 2048,
    disk_size: 20,
    app_id: app.app.app_id,
  });
  const info = await eventually('the guest is up', async () => {
    const vm = await driver.getInfo(host_vm_id);
    return vm?.boot_progress === 'done' ? vm : null;
  });
  cvm = await db
    .updateTable('cvms')
    .set({ host_vm_id, instance_id: info.instance_id })
    .where('id', '=', cvm.id)
    .returningAll()
    .executeTakeFirstOrThrow();
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const client = () =>
  sdk.createClient({
    baseURL: `${server.url}/api/v1`,
    apiKey: token,
    version: '2026-01-21',
  } as never) as never;

async function get(url: string): Promise<{ status: number; text: string; type: string }> {
  const answer = await fetch(url);
  return {
    status: answer.status,
    text: await answer.text(),
    type: answer.headers.get('content-type') ?? '',
  };
}

describe('the guest', () => {
  it('says what runs, through the SDK', async () => {
    const id = { id: cvm.public_id } as never;
    const composition = (await sdk.getCvmContainersStats(client(), id)) as {
      containers: { names: string[]; log_endpoint: string }[];
    };
    expect(composition).toMatchObject({ is_online: true, error: null });
    expect(composition.containers[0]!.names).toEqual(['/web']);
    expect(await sdk.getCvmStats(client(), id)).toMatchObject({
      is_online: true,
      sysinfo: { num_cpus: 1, total_memory: 2048 * 1048576 },
    });
    expect(await sdk.getCvmNetwork(client(), id)).toMatchObject({
      is_online: true,
      public_urls: [{ app: `http://${app.app.app_id}-80.cvm.localhost:8999` }, {}],
    });
  });

  it('gives its measurements, not verified, and a local host is never more than simulated', async () => {
    const measured = {
      mrtd: '00'.repeat(48),
      rtmr0: '1',
      rtmr1: '2',
      rtmr2: '3',
      rtmr3: '4',
      event_log: [{ imr: 3, event_type: 134217729, digest: 'aa', event: 'app-id', event_payload: 'bb' }],
      app_compose: app.revision.app_compose,
    };
    fake.on('/guest/Info', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ app_id: app.app.app_id, tcb_info: JSON.stringify(measured), app_cert: '' })),
    );
    expect(await sdk.getCvmAttestation(client(), { id: `app_${app.app.app_id}` } as never)).toMatchObject({
      name: cvm.name,
      is_online: true,
      error: null,
      tcb_info: measured,
      compose_file: app.revision.app_compose,
    });
    const own = await person.call('getCvmAttestation', { path: { cvm_id: cvm.public_id } });
    expect(own.body.trust).toBe('simulated');
  });

  it('does not keep a page waiting', async () => {
    fake.on('/guest/SysInfo', () => undefined);
    const asked = Date.now();
    const stats = await person.call('getCvmStats', { path: { cvm_id: cvm.public_id } });
    expect(stats.body).toMatchObject({ is_online: false, sysinfo: null, status: 'running' });
    expect(stats.body.error).toMatch(/did not answer within 3 seconds|does not answer/);
    expect(Date.now() - asked).toBeLessThan(5000);
  });
});

describe('log addresses', () => {
  let syslog: string;
  let web: string;
  let base: string;
  beforeEach(async () => {
    const detail = await person.call('getCvm', { path: { cvm_id: cvm.public_id } });
    syslog = detail.body.logs!.syslog_endpoint;
    base = detail.body.logs!.container_log_base!;
    const composition = await person.call('getCvmComposition', { path: { cvm_id: cvm.public_id } });
    web = composition.body.containers![0]!.log_endpoint!;
  });

  it('lead to the serial console and the other channels, without a header', async () => {
    const old = await person.call('getCvm', {
      path: { cvm_id: cvm.public_id },
      headers: { 'x-phala-version': '2025-10-28' },
    });
    expect((old.body as unknown as { syslog_endpoint: string }).syslog_endpoint).toBe(syslog);
    const serial = await get(`${syslog}&ch=serial&tail=50&lines=50&ansi`);
    expect(serial.status).toBe(200);
    expect(serial.type).toContain('text/plain');
    expect(serial.text).toContain('===== boot @');
    expect(serial.text).toContain('\u001b[32mKernel');
    expect((await get(`${syslog}&ch=serial`)).text).not.toContain('\u001b');
    expect((await get(`${syslog}&ch=serial&tail=1`)).text.trimEnd().split('\n')).toHaveLength(1);
    expect(await get(`${syslog}&ch=stdout`)).toMatchObject({ status: 200, text: '' });
    expect((await get(`${syslog}&ch=nothing`)).status).toBe(422);
  });

  it('lead to one container, as NDJSON, text or lines', async () => {
    const rows = await get(`${web}&since=10m&tail=50&lines=50&timestamps&ansi`);
    expect(rows.type).toContain('text/plain');
    const row = JSON.parse(rows.text) as { channel: string; message: string };
    expect([row.channel, Buffer.from(row.message, 'base64').toString()]).toEqual(['stdout', 'hello\n']);
    expect((await get(`${web}&text&bare`)).text).toBe('hello\n');
    const asked = fake.requests.filter((path) => path.startsWith('/agent/'));
    expect(asked[0]).toMatch(/\/logs\/web\?timestamps&ansi&since=10m&tail=50$/);
    expect((await get(base.replace('{container}', 'web'))).status).toBe(200);
  });

  it('follow until the reader leaves, and let the host go then', async () => {
    const abort = new AbortController();
    const answer = await fetch(`${syslog}&ch=serial&follow`, { signal: abort.signal });
    const reader = answer.body!.getReader();
    const first = await reader.read();
    expect(Buffer.from(first.value!).toString()).toContain('===== boot @');
    expect(Buffer.from(first.value!).toString()).not.toContain('heartbeat');
    abort.abort();
    await expect(reader.read()).rejects.toThrow();
  });

  it('say that a container is not there', async () => {
    const nobody = await get(base.replace('{container}', 'nobody'));
    expect(nobody.status).toBe(404);
    expect(nobody.text).toContain('has no container “nobody”');
    expect((await get(base.replace('{container}', '..%2f..%2fprpc'))).status).toBe(404);
  });

  it('are for one CVM, one team, one kind of log and one hour', async () => {
    const { seal, db } = server.services;
    const at = (vm_uuid: string, grant: Parameters<typeof signLogToken>[1], now?: number) =>
      get(`${server.url}/api/v1/logs/cvms/${vm_uuid}?token=${signLogToken(seal, grant, now)}`);
    const reader = await logReaderOf(db, cvm.created_by ?? 0);
    const right = { cvm_id: cvm.id, team_id: cvm.team_id, scope: 'cvm', reader } as const;
    expect((await at(cvm.vm_uuid, right)).status).toBe(200);
    expect((await at(cvm.vm_uuid.replaceAll('-', ''), right)).status).toBe(200);
    const other = await insertCvm(db, { ...app, host });
    const expired = await at(cvm.vm_uuid, right, Date.now() - 2 * 3_600_000);
    expect(expired.status).toBe(403);
    expect(expired.text).toContain('ERR-00-029');
    expect((await at(other.vm_uuid, right)).status).toBe(403);
    expect((await at(cvm.vm_uuid, { ...right, scope: 'containers' })).status).toBe(403);
    expect((await at(cvm.vm_uuid, { ...right, team_id: 999 })).status).toBe(403);
    expect((await get(`${web.replace('/containers/web', '/containers/db')}`)).status).toBe(403);
    expect((await get(`${server.url}/api/v1/logs/cvms/${cvm.vm_uuid}?token=forged.token`)).status).toBe(403);
    expect((await get(`${server.url}/api/v1/logs/cvms/${cvm.vm_uuid}`)).status).toBe(422);
    await db
      .updateTable('cvms')
      .set({ deleted_at: new Date(), status: 'deleted' })
      .where('id', '=', other.id)
      .execute();
    expect((await at(other.vm_uuid, { ...right, cvm_id: other.id })).status).toBe(404);
  });

  it('say why, when the host is away or the VM is not made yet', async () => {
    const { db } = server.services;
    const away = await insertHost(db, { name: 'away' });
    const lost = await insertCvm(db, { ...app, host: away });
    const detail = await person.call('getCvm', { path: { cvm_id: lost.public_id } });
    const answer = await get(detail.body.logs!.serial);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('The host away does not answer.');
    expect(answer.text).not.toContain('127.0.0.1:9');
    const early = await insertCvm(db, {
      ...app,
      host,
      change: { host_vm_id: null, instance_id: null, status: 'creating', started_at: null },
    });
    const young = await person.call('getCvm', { path: { cvm_id: early.public_id } });
    expect(await get(young.body.logs!.serial)).toMatchObject({ status: 200, text: '' });
    const containers = await get(young.body.logs!.container_log_base!.replace('{container}', 'web'));
    expect(containers.status).toBe(502);
    expect(containers.text).toContain('not on its host yet');
  });
});

it('one address cannot take all the streams of a host', async () => {
  const reader = await logReaderOf(server.services.db, cvm.created_by ?? 0);
  const { id: cvm_id, team_id } = cvm;
  const token = signLogToken(server.services.seal, { cvm_id, team_id, scope: 'cvm', reader });
  const url = `${server.url}/api/v1/logs/cvms/${cvm.vm_uuid}?follow=true&token=${token}`;
  const stop = new AbortController();
  const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(url, { signal: stop.signal })));
  const refused = answers.filter(({ status }) => status === 429);
  stop.abort();
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
  expect(refused).toHaveLength(8);
  await eventually(
    'they are given back',
    async () => (await get(url.replace('follow=true&', ''))).status === 200,
  );
});
