import * as sdk from '@phala/cloud';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { signLogToken } from '../../domain/logs/logUrls';
import { vmName } from '../../domain/cvms/vmName';
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

/**
 * A CVM on a responding host: its guest's answers, and its logs as the command line fetches them, without a
 * header.
 */
let server: TestServer;
let fake: FakeVmm;
let member: TestClient;
let host: TestHost;
let app: TestApp;
let cvm: CvmRow;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  member = await server.register();
  const who = await identityOf(db, member.email!);
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

describe('guest data', () => {
  it('is returned through the SDK', async () => {
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

  it('includes unverified measurements, and is never more than simulated on a local host', async () => {
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
    const own = await member.call('getCvmAttestation', { path: { cvm_id: cvm.public_id } });
    expect(own.body.trust).toBe('simulated');
  });

  it('times out for an unresponsive guest', async () => {
    fake.on('/guest/SysInfo', () => undefined);
    const stats = await member.call('getCvmStats', { path: { cvm_id: cvm.public_id } });
    expect(stats.body).toMatchObject({ is_online: false, sysinfo: null, status: 'running' });
    expect(stats.body.error).toMatch(/didn't respond within 3 seconds|isn't responding/);
  });
});

describe('log URLs', () => {
  let syslog: string;
  let web: string;
  let base: string;
  beforeEach(async () => {
    const detail = await member.call('getCvm', { path: { cvm_id: cvm.public_id } });
    syslog = detail.body.logs.syslog_endpoint!;
    base = detail.body.logs.container_log_base!;
    const composition = await member.call('getCvmComposition', { path: { cvm_id: cvm.public_id } });
    web = composition.body.containers![0]!.log_endpoint!;
  });

  it('return the serial console and other channels without a header', async () => {
    const old = await member.call('getCvm', {
      path: { cvm_id: cvm.public_id },
      headers: { 'x-phala-version': '2025-10-28' },
    });
    const { syslog_endpoint } = old.body as unknown as { syslog_endpoint: string };
    // The token's expiry is rounded, so the two may fall into different periods.
    const withoutToken = (url: string) => url.replace(/token=.*/, '');
    expect(withoutToken(syslog_endpoint)).toBe(withoutToken(syslog));
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

  it("return a container's log as NDJSON or text, limited by lines", async () => {
    const rows = await get(`${web}&since=10m&tail=50&lines=50&timestamps&ansi`);
    expect(rows.type).toContain('text/plain');
    const row = JSON.parse(rows.text) as { channel: string; message: string };
    expect([row.channel, Buffer.from(row.message, 'base64').toString()]).toEqual(['stdout', 'hello\n']);
    expect((await get(`${web}&text&bare`)).text).toBe('hello\n');
    const agentRequests = fake.requests.filter((path) => path.startsWith('/agent/'));
    expect(agentRequests[0]).toMatch(/\/logs\/web\?timestamps&ansi&since=10m&tail=50$/);
    expect((await get(base.replace('{container}', 'web'))).status).toBe(200);
  });

  it('follow a log until the reader disconnects', async () => {
    const abort = new AbortController();
    const answer = await fetch(`${syslog}&ch=serial&follow`, { signal: abort.signal });
    const reader = answer.body!.getReader();
    const first = await reader.read();
    expect(Buffer.from(first.value!).toString()).toContain('===== boot @');
    expect(Buffer.from(first.value!).toString()).not.toContain('heartbeat');
    abort.abort();
    await expect(reader.read()).rejects.toThrow();
  });

  it('accept a date, and name an invalid time in the error', async () => {
    const at = (since: string) => `${base.replace('{container}', 'web')}&since=${encodeURIComponent(since)}`;
    expect((await get(at('2020-01-31T12:00:00Z'))).status).toBe(200);
    const refused = await get(at('yesterday'));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('since must be a date and time');
  });

  it('return 404 for an unknown container', async () => {
    const unknown = await get(base.replace('{container}', 'nobody'));
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('has no container “nobody”');
    expect((await get(base.replace('{container}', '..%2f..%2fprpc'))).status).toBe(404);
  });

  it('are valid for one CVM, one team, one kind of log and one hour', async () => {
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

  it('return an error for an unreachable host or a VM that does not exist yet', async () => {
    const { db } = server.services;
    const away = await insertHost(db, { name: 'away' });
    const lost = await insertCvm(db, { ...app, host: away });
    const detail = await member.call('getCvm', { path: { cvm_id: lost.public_id } });
    const answer = await get(detail.body.logs.serial!);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain("The host away isn't responding.");
    expect(answer.text).not.toContain('127.0.0.1:9');
    const early = await insertCvm(db, {
      ...app,
      host,
      change: { host_vm_id: null, instance_id: null, status: 'creating', started_at: null },
    });
    const pending = await member.call('getCvm', { path: { cvm_id: early.public_id } });
    expect(await get(pending.body.logs.serial!)).toMatchObject({ status: 200, text: '' });
    const containers = await get(pending.body.logs.container_log_base!.replace('{container}', 'web'));
    expect(containers.status).toBe(502);
    expect(containers.text).toContain('is not on its host yet');
  });
});

describe('open logs', () => {
  /** Keeps references, since the garbage collector closes unreferenced responses. */
  let held: Response[] = [];
  /** Opens `count` logs of the CVM as this member; `refused` are the responses with 429. */
  async function follow(of: CvmRow, user_id: number, count: number, stop: AbortController) {
    const reader = await logReaderOf(server.services.db, user_id);
    const { id: cvm_id, team_id } = of;
    const address = signLogToken(server.services.seal, { cvm_id, team_id, scope: 'cvm', reader });
    const url = `${server.url}/api/v1/logs/cvms/${of.vm_uuid}?follow=true&token=${address}`;
    const answers = await Promise.all(
      Array.from({ length: count }, () => fetch(url, { signal: stop.signal })),
    );
    held.push(...answers);
    return { url, refused: answers.filter(({ status }) => status !== 200) };
  }
  const sibling = () =>
    insertCvm(server.services.db, { ...app, host, change: { host_vm_id: cvm.host_vm_id } });

  async function expectRefusal(refused: Response[], what: string): Promise<void> {
    expect(refused.map(({ status }) => status)).toEqual([429]);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]!.text()).toContain(what);
  }

  async function expectFreed(url: string, stop: AbortController): Promise<void> {
    expect(held).not.toEqual([]);
    stop.abort();
    held = [];
    await eventually(
      'the streams are released',
      async () => (await get(url.replace('follow=true&', ''))).status === 200,
    );
  }

  it('are limited to 32 per CVM and 24 per user and CVM', async () => {
    const stop = new AbortController();
    const { refused: own } = await follow(cvm, cvm.created_by ?? 0, 25, stop);
    await expectRefusal(own, '24 of your log streams for this CVM');
    const { url, refused } = await follow(cvm, await addMember(), 9, stop);
    await expectRefusal(refused, "32 of this CVM's log streams");
    await expectFreed(url, stop);
  });

  it('are limited to 64 per user across CVMs', async () => {
    const stop = new AbortController();
    const user = cvm.created_by ?? 0;
    for (const count of [24, 24, 16])
      expect((await follow(await sibling(), user, count, stop)).refused).toEqual([]);
    const { url, refused } = await follow(await sibling(), user, 1, stop);
    await expectRefusal(refused, '64 of your log streams');
    await expectFreed(url, stop);
  });

  it('are limited to 128 per team across readers', async () => {
    const stop = new AbortController();
    const members = [cvm.created_by ?? 0, await addMember(), await addMember()];
    for (const user of members.slice(0, 2))
      for (const count of [24, 24, 16])
        expect((await follow(await sibling(), user, count, stop)).refused).toEqual([]);
    const { url, refused } = await follow(await sibling(), members[2]!, 1, stop);
    await expectRefusal(refused, "128 of this team's log streams");
    await expectFreed(url, stop);
  });
});

/** Adds another member to the team. */
async function addMember(): Promise<number> {
  const { db } = server.services;
  const { email } = await server.register();
  const { user_id } = await identityOf(db, email ?? '');
  await db
    .insertInto('memberships')
    .values({ team_id: cvm.team_id, user_id, role: 'member', is_default: false })
    .execute();
  return user_id;
}
