import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/schema';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertToken,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { startDnsServer, type TestDns } from '../../testing/dnsServer';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

const COMPOSE = `services:
  web:
    image: nginx
    ports: ["443:8443", "80:80", "127.0.0.1:9000:9000", "53:53/udp"]
`;
const GATEWAY = '127.0.0.1';

let dns: TestDns;
let server: TestServer;
let owner: TestClient;
let rival: TestClient;
let host: TestHost;
let local: TestHost;
let mine: TestApp & { cvm: CvmRow };
let theirs: TestApp & { cvm: CvmRow };
let here: TestApp & { cvm: CvmRow };
let site: ReturnType<typeof createServer>;
let gatewayPort = 0;

async function deploy(client: TestClient, on: TestHost, name: string, compose = COMPOSE) {
  const who = await identityOf(server.services.db, client.email ?? '');
  const app = await insertApp(server.services.db, { ...who, host: on, name, compose });
  return { ...app, cvm: await insertCvm(server.services.db, { ...app, host: on, user_id: who.user_id }) };
}

beforeAll(async () => {
  dns = await startDnsServer();
  site = createServer((req, res) => res.end(`hello ${req.headers.host}`));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  gatewayPort = (site.address() as AddressInfo).port;
  server = await startTestServer({ env: { DNS_SERVERS: dns.address } });
  owner = await server.register();
  rival = await server.register();
  const { db } = server.services;
  host = await insertHost(db, { kind: 'dstack_vmm' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: `gw.test:${gatewayPort}` })
    .where('id', '=', host.teepod.id)
    .execute();
  local = await insertHost(db, { kind: 'local' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: `cvm.localhost:${gatewayPort}` })
    .where('id', '=', local.teepod.id)
    .execute();
  mine = await deploy(owner, host, 'mine');
  theirs = await deploy(rival, host, 'theirs');
  here = await deploy(owner, local, 'here');
  dns.set('_.gw.test', { type: 'A', value: GATEWAY });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await dns?.close();
  site?.close();
});
beforeEach(async () => {
  // Each test may ask as often as a person in a minute.
  await sql`delete from rate_limits`.execute(server.services.db);
});

let count = 0;
const newName = () => `shop${++count}.example.org`;
const path = (app: { cvm: CvmRow }, domain_id?: string) => ({
  cvm_id: app.cvm.vm_uuid,
  ...(domain_id === undefined ? {} : { domain_id }),
});
const add = (client: TestClient, app: { cvm: CvmRow }, body: Record<string, unknown>) =>
  client.call('createCvmDomain', { path: path(app), body });
const verify = (client: TestClient, app: { cvm: CvmRow }, id: string) =>
  client.call('verifyCvmDomain', { path: path(app, id) });
const publish = (domain: string, app: TestApp, port = 443) => {
  dns.set(domain, { type: 'CNAME', value: '_.gw.test' });
  dns.txt.set(`_dstack-app-address.${domain}`, [[`${app.app.app_id}:${port}`]]);
};
const eventsOf = async (client: TestClient, kind: string) =>
  (await client.call('listEvents', { query: { kind, limit: 50 } })).body.data;

describe('the network of a CVM', () => {
  it('says what is published and where it is reached', async () => {
    const { status, body } = await owner.call('getCvmNetwork', { path: path(mine) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      is_online: false,
      gateway: {
        enabled: true,
        kind: 'dstack_vmm',
        cname: '_.gw.test',
        forms: ['http', 'tls', 'grpc'],
        domains_unserved: null,
      },
      handshake: { state: 'unknown' },
      host_ports: { supported: null },
    });
    expect(body.ports.map(({ port, reach }) => [port, reach])).toEqual([
      [443, 'public'],
      [80, 'public'],
      [9000, 'loopback'],
      [53, 'udp'],
    ]);
    expect(body.ports[0]?.endpoints.map(({ form, app }) => [form, app])).toContainEqual([
      'tls',
      `https://${mine.app.app_id}-443s.gw.test:${gatewayPort}`,
    ]);
    const local_network = (await owner.call('getCvmNetwork', { path: path(here) })).body;
    expect(local_network.gateway).toMatchObject({ forms: ['http'], cname: null });
    expect(local_network.gateway.domains_unserved).toMatch(/local teepod/);
    // What published clients of the older version get is theirs alone.
    const old = await owner
      .with({ 'x-phala-version': '2025-10-28' })
      .call('getCvmNetwork', { path: path(mine) });
    expect(old.body.public_urls?.[0]?.app).toContain(mine.app.app_id);
  });

  it('is tried step by step', async () => {
    const check = (app: { cvm: CvmRow }, body: Record<string, unknown>) =>
      owner.call('checkCvmNetwork', { path: path(app), body });
    const good = await check(here, { port: 80 });
    expect(good.body).toMatchObject({
      reachable: true,
      summary: 'It answers with status 200.',
      what_to_do: null,
    });
    expect(good.body.steps.map(({ name, state }) => [name, state])).toEqual([
      ['dns', 'passed'],
      ['tcp', 'passed'],
      ['tls', 'skipped'],
      ['http', 'passed'],
    ]);
    // No such name at the gateway of the other host.
    const nowhere = await check(mine, { port: 443, form: 'tls' });
    expect(nowhere.body).toMatchObject({
      reachable: false,
      steps: [{ name: 'dns', state: 'failed' }, {}, {}, {}],
    });
    // One that is there but speaks no TLS.
    dns.set(`${mine.app.app_id}-443s.gw.test`, { type: 'A', value: GATEWAY });
    const plain = await check(mine, { port: 443, form: 'tls' });
    expect(plain.body.steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'failed', 'skipped']);
    expect(plain.body.what_to_do).toMatch(/speak TLS on port 443/);
  });

  it('is not tried anywhere else', async () => {
    const check = async (body: Record<string, unknown>, app = mine) =>
      (await owner.call('checkCvmNetwork', { path: path(app), body })).status;
    expect(await check({ port: 22 })).toBe(422);
    expect(await check({ port: 9000 })).toBe(422);
    expect(await check({})).toBe(422);
    expect(await check({ port: 80, form: 'grpc' }, here)).toBe(422);
    expect(await check({ url: 'http://169.254.169.254/' })).toBe(422);
    expect(await check({ domain_id: 'dom_0000000000000000' })).toBe(404);
    // A gateway that answers with an address inside is not followed there.
    dns.set(`${mine.app.app_id}-80.gw.test`, { type: 'A', value: '169.254.169.254' });
    const inside = await owner.call('checkCvmNetwork', { path: path(mine), body: { port: 80 } });
    expect(inside.body).toMatchObject({ reachable: false });
    expect(inside.body.steps[0]?.detail).toMatch(/not tried/);
  });

  it('is tried twenty times a minute, not more', async () => {
    const statuses = [];
    for (let i = 0; i < 21; i += 1)
      statuses.push((await owner.call('checkCvmNetwork', { path: path(mine), body: { port: 22 } })).status);
    expect(statuses.slice(0, 20).every((status) => status === 422)).toBe(true);
    expect(statuses[20]).toBe(429);
  });
});

describe('a domain', () => {
  it('is added with the records to set, verified by DNS, told and removed', async () => {
    const domain = newName();
    const added = await add(owner, mine, { domain: ` ${domain.toUpperCase()}. ` });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      domain,
      state: 'pending',
      port: 443,
      port_published: true,
      proved_at: null,
    });
    expect(added.body.records.slice(0, 2).map(({ type, name, value }) => [type, name, value])).toEqual([
      ['TXT', `_dstack-app-address.${domain}`, `${mine.app.app_id}:443`],
      ['CNAME', domain, '_.gw.test'],
    ]);
    const { id } = added.body;
    const missing = await verify(owner, mine, id);
    expect(missing.body).toMatchObject({ state: 'pending', diagnosis: { state: 'wrong', proved: false } });

    publish(domain, mine);
    const right = await verify(owner, mine, id);
    expect(right.body).toMatchObject({ state: 'verified', diagnosis: { state: 'right' } });
    expect(right.body.proved_at).not.toBeNull();
    expect(await eventsOf(owner, 'domain.verified')).toContainEqual(
      expect.objectContaining({
        message: `${domain} leads to the app`,
        app_id: mine.app.app_id,
        data: expect.objectContaining({ domain, domain_id: id }),
      }),
    );
    const list = await owner.call('listCvmDomains', { path: path(mine) });
    expect(list.body.data.find((one) => one.id === id)?.state).toBe('verified');
    expect(list.body.limits).toMatchObject({ app_most: 20, team_most: 100 });

    expect((await owner.call('deleteCvmDomain', { path: path(mine, id) })).status).toBe(204);
    expect((await owner.call('deleteCvmDomain', { path: path(mine, id) })).status).toBe(404);
    const { rows } = {
      rows: await server.services.db
        .selectFrom('audit_log')
        .select(['action', 'target_id'])
        .where('target_id', '=', id)
        .execute(),
    };
    expect(rows.map(({ action }) => action)).toEqual([
      'domain.create',
      'domain.verify',
      'domain.verify',
      'domain.delete',
    ]);
  });

  it('is tried where it leads to the gateway, and nowhere else', async () => {
    const domain = newName();
    publish(domain, mine);
    const { id } = (await add(owner, mine, { domain })).body;
    const check = () => owner.call('checkCvmNetwork', { path: path(mine), body: { domain_id: id } });
    // The site here speaks no TLS; that it was asked is what counts.
    expect((await check()).body.steps.map(({ state }) => state)).toEqual([
      'passed',
      'passed',
      'failed',
      'skipped',
    ]);
    dns.set(domain, { type: 'A', value: '127.0.0.2' });
    const elsewhere = await check();
    expect(elsewhere.body.steps[0]).toMatchObject({ state: 'failed' });
    expect(elsewhere.body.steps[0]?.detail).toMatch(/Nothing was sent/);
  });

  it('of somebody else cannot be taken, and is theirs again when they say so', async () => {
    const domain = newName();
    publish(domain, mine);
    const first = (await add(owner, mine, { domain })).body;
    expect((await verify(owner, mine, first.id)).body.state).toBe('verified');
    // Another team may add it, and gets nothing by that.
    const second = await add(rival, theirs, { domain });
    expect(second.status).toBe(201);
    const refused = await verify(rival, theirs, second.body.id);
    expect(refused.body).toMatchObject({ state: 'pending', proved_at: null, diagnosis: { proved: false } });
    expect(refused.body.diagnosis?.checks.find(({ id }) => id === 'app')?.message).toMatch(/another app/);
    expect((await verify(owner, mine, first.id)).body.state).toBe('verified');

    // Who answers for the domain gives it away: the new one has it at once, the former is told.
    publish(domain, theirs);
    expect((await verify(rival, theirs, second.body.id)).body).toMatchObject({ state: 'verified' });
    const former = (await owner.call('listCvmDomains', { path: path(mine) })).body.data.find(
      ({ id }) => id === first.id,
    );
    expect(former).toMatchObject({ state: 'broken', proved_at: null });
    const told = (await eventsOf(owner, 'domain.broken')).find(({ message }) => message.includes(domain));
    expect(told).toMatchObject({ severity: 'error' });
    expect(JSON.stringify(told)).not.toContain(theirs.app.app_id);

    // Both records at once are nobody's.
    dns.txt.set(`_dstack-app-address.${domain}`, [[`${mine.app.app_id}:443`], [`${theirs.app.app_id}:443`]]);
    expect((await verify(owner, mine, first.id)).body).toMatchObject({ state: 'broken', proved_at: null });
    publish(domain, mine);
    expect((await verify(owner, mine, first.id)).body.state).toBe('verified');
    const owners = await server.services.db
      .selectFrom('domains')
      .select('public_id')
      .where('domain', '=', domain)
      .where('proved_at', 'is not', null)
      .execute();
    expect(owners).toEqual([{ public_id: first.id }]);
  });

  it('is broken when its record is gone for good, and free for others', async () => {
    const domain = newName();
    publish(domain, mine);
    const { id } = (await add(owner, mine, { domain })).body;
    await verify(owner, mine, id);
    dns.txt.delete(`_dstack-app-address.${domain}`);
    expect((await verify(owner, mine, id)).body).toMatchObject({
      state: 'verified',
      diagnosis: { state: 'wrong' },
    });
    const broken = await verify(owner, mine, id);
    expect(broken.body).toMatchObject({ state: 'broken', proved_at: null });
    expect(broken.body.broken_since).not.toBeNull();
  });

  it('is not lost to a resolver that fails', async () => {
    const domain = newName();
    publish(domain, mine);
    const { id } = (await add(owner, mine, { domain })).body;
    await verify(owner, mine, id);
    dns.broken.add(`_dstack-app-address.${domain}`);
    for (let i = 0; i < 3; i += 1)
      expect((await verify(owner, mine, id)).body).toMatchObject({
        state: 'verified',
        diagnosis: { state: 'unknown', proved: null },
      });
    dns.broken.clear();
  });

  it('is looked at by itself until it is right', async () => {
    const domain = newName();
    publish(domain, mine);
    const { id } = (await add(owner, mine, { domain })).body;
    const seen = await eventually('the domain is verified without a click', async () => {
      const { body } = await owner.call('listCvmDomains', { path: path(mine) });
      return body.data.find((one) => one.id === id && one.state === 'verified');
    });
    const hours = (new Date(seen.next_check_at).getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(21);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it('left by a worker that died is looked at by another', async () => {
    const domain = newName();
    publish(domain, mine);
    const { id } = (await add(owner, mine, { domain })).body;
    await server.services.db
      .updateTable('domains')
      .set({
        lease_owner: 'other-machine-1',
        lease_until: new Date(Date.now() - 1000),
        next_check_at: new Date(0),
        state: 'pending',
        checked_at: null,
      })
      .where('public_id', '=', id)
      .execute();
    await eventually('it is looked at again', async () => {
      const row = await server.services.db
        .selectFrom('domains')
        .selectAll()
        .where('public_id', '=', id)
        .executeTakeFirstOrThrow();
      return row.state === 'verified' && row.lease_owner === null;
    });
  });

  it('for one instance names that instance', async () => {
    const domain = newName();
    const { body } = await add(owner, mine, { domain, scope: 'instance', port: 8443 });
    expect(body).toMatchObject({ scope: 'instance', vm_uuid: mine.cvm.vm_uuid, port_published: false });
    expect(body.records[0]?.value).toBe(`${mine.cvm.instance_id}:8443`);
  });

  it('on a local teepod is proved, and does not work there', async () => {
    const domain = newName();
    publish(domain, here);
    const { body } = await add(owner, here, { domain });
    expect(body.records.map(({ type }) => type)).toEqual(['TXT', 'CAA']);
    const looked = (await verify(owner, here, body.id)).body;
    expect(looked).toMatchObject({ state: 'pending', diagnosis: { state: 'wrong', proved: true } });
    expect(looked.diagnosis?.checks[0]).toMatchObject({ id: 'gateway', state: 'failed' });
    expect(
      (await owner.call('checkCvmNetwork', { path: path(here), body: { domain_id: body.id } })).status,
    ).toBe(409);
  });

  it.each([
    ['https://shop.example.org/'],
    ['localhost'],
    ['evil.gw.test'],
    ['under_score.example.org'],
    ['10.0.0.1'],
    [''],
    ['a'.repeat(256)],
  ])('%j is refused', async (domain) => {
    const answer = await add(owner, mine, { domain });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('domain');
  });

  it('is added once by a team, with a port that exists', async () => {
    const domain = newName();
    expect((await add(owner, mine, { domain })).status).toBe(201);
    expect((await add(owner, here, { domain: `${domain}.` })).status).toBe(409);
    expect((await add(owner, mine, { domain: newName(), port: 0 })).status).toBe(422);
    expect((await add(owner, mine, { domain: newName(), port: 65_536 })).status).toBe(422);
    expect((await add(owner, mine, { domain: newName(), scope: 'world' })).status).toBe(422);
  });

  it('repeated with the same key is added once', async () => {
    const domain = newName();
    const call = () =>
      owner.call('createCvmDomain', {
        path: path(mine),
        body: { domain },
        headers: { 'idempotency-key': `add-${domain}` },
      });
    const [one, two] = [await call(), await call()];
    expect([one.status, two.status, one.body.id === two.body.id]).toEqual([201, 201, true]);
  });

  it('is not for strangers, viewers and narrow tokens', async () => {
    const domain = newName();
    const { id } = (await add(owner, mine, { domain })).body;
    const { db } = server.services;
    const who = await identityOf(db, owner.email ?? '');
    const viewer = await server.register();
    const { user_id } = await identityOf(db, viewer.email ?? '');
    await db
      .insertInto('memberships')
      .values({ team_id: who.team_id, user_id, role: 'viewer', is_default: false })
      .execute();
    const reader = viewer.with({ 'x-workspace': owner.slug ?? '' });
    const body = { domain: newName() };
    expect((await reader.call('listCvmDomains', { path: path(mine) })).status).toBe(200);
    expect((await reader.call('diagnoseCvmDomain', { path: path(mine), body })).status).toBe(200);
    expect((await add(reader, mine, body)).status).toBe(403);
    expect((await verify(reader, mine, id)).status).toBe(403);
    expect((await reader.call('deleteCvmDomain', { path: path(mine, id) })).status).toBe(403);
    for (const [status, client] of [
      [404, rival],
      [401, server.anonymous],
    ] as const) {
      expect((await client.call('listCvmDomains', { path: path(mine) })).status).toBe(status);
      expect((await add(client, mine, body)).status).toBe(status);
      expect((await verify(client, mine, id)).status).toBe(status);
      expect((await client.call('deleteCvmDomain', { path: path(mine, id) })).status).toBe(status);
      expect((await client.call('checkCvmNetwork', { path: path(mine), body: { port: 80 } })).status).toBe(
        status,
      );
    }
    // Through a CVM of one's own nobody reaches another's domain.
    expect((await verify(rival, theirs, id)).status).toBe(404);
    const narrow = server.anonymous.with({ 'x-api-key': await insertToken(db, who, ['user:profile']) });
    expect((await narrow.call('listCvmDomains', { path: path(mine) })).status).toBe(403);
  });

  it('can be looked at without being kept', async () => {
    const domain = newName();
    publish(domain, mine);
    const { body, status } = await owner.call('diagnoseCvmDomain', { path: path(mine), body: { domain } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'right', proved: true });
    const kept = await server.services.db
      .selectFrom('domains')
      .select('id')
      .where('domain', '=', domain)
      .execute();
    expect(kept).toEqual([]);
  });

  it('goes with its app, and a team has only so many', async () => {
    const app = await deploy(rival, host, 'full');
    const added = [];
    for (let i = 0; i < 21; i += 1) added.push(await add(rival, app, { domain: newName() }));
    expect(added.slice(0, 20).every(({ status }) => status === 201)).toBe(true);
    expect(added[20]?.status).toBe(400);
    expect(JSON.stringify(added[20]?.body)).toContain('ERR-04-003');
    const { db } = server.services;
    await db.updateTable('apps').set({ archived_at: new Date() }).where('id', '=', app.app.id).execute();
    const { deleteOrphanDomains } = await import('../../db/domains');
    await deleteOrphanDomains(db);
    const left = await db.selectFrom('domains').select('id').where('app_id', '=', app.app.id).execute();
    expect(left).toEqual([]);
  });

  it('added by two at once is counted once', async () => {
    const domain = newName();
    const answers = await Promise.all(Array.from({ length: 4 }, () => add(owner, mine, { domain })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});
