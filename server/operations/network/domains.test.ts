import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { moveToBin, takeFromBin } from '../../db/cvms/recycleBin';
import { deleteOrphanDomains } from '../../db/network/domains';
import { publicId } from '../../domain/core/publicId';
import { identityOf, insertToken } from '../../testing/cvmFixtures';
import { eventually, type TestClient } from '../../testing/server';
import { pathOf as path, startNetworkWorld, type NetworkWorld } from './testing/world';

let world: NetworkWorld;
let { dns, server, owner, rival, host, mine, theirs, here, deploy, newName, add, verify, publish } =
  {} as NetworkWorld;
beforeAll(async () => {
  world = await startNetworkWorld();
  ({ dns, server, owner, rival, host, mine, theirs, here, deploy, newName, add, verify, publish } = world);
});
afterAll(() => world?.stop());
beforeEach(() => world.forgetLimits());

const eventsOf = async (client: TestClient, kind: string) =>
  (await client.call('listEvents', { query: { kind, limit: 50 } })).body.data;

describe('a domain', () => {
  it('is added with its DNS records, verified, announced as an event and removed', async () => {
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
        message: `${domain} points to the app`,
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

  it('is checked only if it resolves to the gateway', async () => {
    const domain = newName();
    publish(domain, mine);
    const { id } = (await add(owner, mine, { domain })).body;
    const check = () => owner.call('checkCvmNetwork', { path: path(mine), body: { domain_id: id } });
    // The test site has no TLS; the check only has to reach it.
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

  it('shows its port as published by a long Compose file that has not been analyzed yet', async () => {
    // The file contains the name, so each has its own hash.
    const long = (name: string) =>
      deploy(
        owner,
        host,
        name,
        `# ${'long '.repeat(4_000)}\nservices: { web: { image: nginx, ports: ["443:1"] } }`,
      );
    const added = await add(owner, await long('long-added'), { domain: newName() });
    expect(added.body.port_published).toBe(true);
    const listed = await long('long-listed');
    const { app_id, team_id } = listed.cvm;
    const values = { public_id: publicId('dom'), team_id, app_id, domain: newName(), port: 443 };
    await server.services.db.insertInto('domains').values(values).execute();
    const { data } = (await owner.call('listCvmDomains', { path: path(listed) })).body;
    expect(data.map(({ port_published }) => port_published)).toEqual([true]);
  });

  it('can be claimed only by the team in its DNS records, and reclaimed', async () => {
    const domain = newName();
    publish(domain, mine);
    const first = (await add(owner, mine, { domain })).body;
    expect((await verify(owner, mine, first.id)).body.state).toBe('verified');
    // Another team may add it, which gives it no access.
    const second = await add(rival, theirs, { domain });
    expect(second.status).toBe(201);
    const refused = await verify(rival, theirs, second.body.id);
    expect(refused.body).toMatchObject({ state: 'pending', proved_at: null, diagnosis: { proved: false } });
    expect(refused.body.diagnosis?.checks.find(({ id }) => id === 'app')?.message).toMatch(/another app/);
    expect((await verify(owner, mine, first.id)).body.state).toBe('verified');

    // The owner of the DNS records decides: the new team has it immediately, and the former one is notified.
    publish(domain, theirs);
    expect((await verify(rival, theirs, second.body.id)).body).toMatchObject({ state: 'verified' });
    const former = (await owner.call('listCvmDomains', { path: path(mine) })).body.data.find(
      ({ id }) => id === first.id,
    );
    expect(former).toMatchObject({ state: 'broken', proved_at: null });
    const brokenEvent = (await eventsOf(owner, 'domain.broken')).find(({ message }) =>
      message.includes(domain),
    );
    expect(brokenEvent).toMatchObject({ severity: 'error' });
    expect(JSON.stringify(brokenEvent)).not.toContain(theirs.app.app_id);

    // Both records together belong to no team.
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

  it('becomes broken after two failed verifications', async () => {
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
    // The owner's notice ends with the domain, because nothing can report it verified anymore.
    const notice = () =>
      server.services.db
        .selectFrom('notifications')
        .select('resolved_at')
        .where('subject', '=', `domain:${id}`)
        .executeTakeFirst();
    expect(await eventually('the notice', notice)).toEqual({ resolved_at: null });
    expect((await owner.call('deleteCvmDomain', { path: path(mine, id) })).status).toBe(204);
    expect((await notice())?.resolved_at).toBeInstanceOf(Date);
  });

  it('stays verified when the resolver fails', async () => {
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

  it('is rechecked automatically until valid', async () => {
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

  it('is checked by another worker after its worker dies', async () => {
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
    await eventually('the domain is verified again', async () => {
      const row = await server.services.db
        .selectFrom('domains')
        .selectAll()
        .where('public_id', '=', id)
        .executeTakeFirstOrThrow();
      return row.state === 'verified' && row.lease_owner === null;
    });
  });

  it('can point to one instance', async () => {
    const domain = newName();
    const { body } = await add(owner, mine, { domain, scope: 'instance', port: 8443 });
    expect(body).toMatchObject({ scope: 'instance', vm_uuid: mine.cvm.vm_uuid, port_published: false });
    expect(body.records[0]?.value).toBe(`${mine.cvm.instance_id}:8443`);
  });

  it('on a local teepod is verified but not served', async () => {
    const domain = newName();
    publish(domain, here);
    const { body } = await add(owner, here, { domain });
    expect(body.records.map(({ type }) => type)).toEqual(['TXT', 'CAA']);
    const verified = (await verify(owner, here, body.id)).body;
    expect(verified).toMatchObject({ state: 'pending', diagnosis: { state: 'wrong', proved: true } });
    expect(verified.diagnosis?.checks[0]).toMatchObject({ id: 'gateway', state: 'failed' });
    expect(
      (await owner.call('checkCvmNetwork', { path: path(here), body: { domain_id: body.id } })).status,
    ).toBe(409);
  });

  it.each([
    ['https://shop.example.org/'],
    ['localhost'],
    ['evil.gw.test'],
    ['*.gw.test'],
    ['under_score.example.org'],
    ['10.0.0.1'],
    [''],
    ['a'.repeat(256)],
  ])('rejects %j', async (domain) => {
    const answer = await add(owner, mine, { domain });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('domain');
  });

  it('is added once per team, with a valid port', async () => {
    const domain = newName();
    expect((await add(owner, mine, { domain })).status).toBe(201);
    expect((await add(owner, here, { domain: `${domain}.` })).status).toBe(409);
    expect((await add(owner, mine, { domain: newName(), port: 0 })).status).toBe(422);
    expect((await add(owner, mine, { domain: newName(), port: 65_536 })).status).toBe(422);
    expect((await add(owner, mine, { domain: newName(), scope: 'world' })).status).toBe(422);
  });

  it('is added once for a repeated idempotency key', async () => {
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

  it('is not accessible to other teams and narrow tokens, and read-only for viewers', async () => {
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
    // No team can reach another's domain through its own CVM.
    expect((await verify(rival, theirs, id)).status).toBe(404);
    const narrow = server.anonymous.with({ 'x-api-key': await insertToken(db, who, ['user:profile']) });
    expect((await narrow.call('listCvmDomains', { path: path(mine) })).status).toBe(403);
  });

  it('can be diagnosed without being added', async () => {
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

  it('is deleted with its app, and limited to 20 per app', async () => {
    const app = await deploy(rival, host, 'full');
    const added = [];
    for (let i = 0; i < 21; i += 1) added.push(await add(rival, app, { domain: newName() }));
    expect(added.slice(0, 20).every(({ status }) => status === 201)).toBe(true);
    expect(added[20]?.status).toBe(400);
    expect(JSON.stringify(added[20]?.body)).toContain('ERR-04-003');
    const { db } = server.services;
    await db.updateTable('apps').set({ archived_at: new Date() }).where('id', '=', app.app.id).execute();
    await deleteOrphanDomains(db);
    const left = await db.selectFrom('domains').select('id').where('app_id', '=', app.app.id).execute();
    expect(left).toEqual([]);
  });

  it('waits while its CVM can be restored, unless the team uses it elsewhere', async () => {
    const { db } = server.services;
    const app = await deploy(rival, host, 'binned');
    const [kept, reused] = [newName(), newName()];
    for (const domain of [kept, reused]) expect((await add(rival, app, { domain })).status).toBe(201);
    await db.transaction().execute((trx) => moveToBin(trx, app.cvm));
    await deleteOrphanDomains(db);
    expect((await add(rival, theirs, { domain: reused })).status).toBe(201);
    await db.transaction().execute((trx) => takeFromBin(trx, app.cvm, app.cvm.name));
    const listed = (await rival.call('listCvmDomains', { path: path(app) })).body;
    expect(listed.data.map(({ domain }) => domain)).toEqual([kept]);
    await db.transaction().execute((trx) => moveToBin(trx, app.cvm));
    await db.updateTable('cvms').set({ purge_at: null }).where('id', '=', app.cvm.id).execute();
    await deleteOrphanDomains(db);
    const left = await db.selectFrom('domains').select('domain').where('app_id', '=', app.app.id).execute();
    expect(left, 'after it was purged').toEqual([]);
  });

  it('is added once under concurrent requests', async () => {
    const domain = newName();
    const answers = await Promise.all(Array.from({ length: 4 }, () => add(owner, mine, { domain })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});
