import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminHostedCvms, AdminManagedCvms, AdminTeepodCheck } from '../../../generated/api/types.gen';
import { withTransaction } from '../../db/core/client';
import { openNotices } from '../../db/notifications/notifications';
import { teepodCapacities } from '../../db/hosts/reservations';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { startFakeVmm } from '../../drivers/vmm/fake';
import { reconcileTeepod } from '../../jobs/cvms/reconcile';
import { identityOf, insertHost } from '../../testing/cvmFixtures';
import { runningCvm } from '../../testing/hostedCvm';
import { eventually } from '../../testing/server';
import { problemOf } from '../core/admin/testing/admin';
import { startFleet, type Fleet } from './testing/fleet';

let fleet: Fleet;
beforeAll(async () => {
  // Drift remains until repaired by hand.
  fleet = await startFleet({ RECONCILE_SECONDS: '3600' });
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const pod = (which: number) => fleet.hosts[which]!.host.teepod;
const fake = (which: number) => fleet.hosts[which]!.fake;
const stateOf = (body: AdminTeepodCheck, name: string) => body.checks.find((one) => one.name === name);

describe('checking a host', () => {
  const secret = 'not-to-be-seen-0123456789';

  it('passes every check on a healthy host without storing anything', async () => {
    const guarded = await startFakeVmm({ token: secret });
    await db()
      .updateTable('kms')
      .set({ k256_pubkey: fakeKmsRoot.k256_pubkey })
      .where('id', '=', fleet.hosts[0]!.host.kms.id)
      .execute();
    const reply = await fleet.admin.call('checkNewTeepod', {
      body: {
        url: guarded.url,
        credential_kind: 'bearer',
        credential: secret,
        kms_id: fleet.hosts[0]!.host.kms.id,
      },
    });
    expect(reply.status).toBe(200);
    const body = reply.body as AdminTeepodCheck;
    const states = Object.fromEntries(body.checks.map(({ name, state }) => [name, state]));
    for (const name of ['reachable', 'version', 'kms', 'clock', 'ports'])
      expect([name, states[name]]).toEqual([name, 'passed']);
    expect(body).toMatchObject({ ok: true, version: '0.6.0' });
    expect(body.os_images.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain(secret);
    // Nothing is stored.
    const { rows } = await sql`select 1 from teepods where url = ${guarded.url}`.execute(db());
    expect(rows).toEqual([]);
    await guarded.close();
  });

  it('reports a wrong credential without echoing it', async () => {
    const guarded = await startFakeVmm({ token: 'right' });
    const reply = await fleet.admin.call('checkNewTeepod', {
      body: { url: guarded.url, credential_kind: 'bearer', credential: secret },
    });
    const body = reply.body as AdminTeepodCheck;
    expect(body.ok).toBe(false);
    expect(stateOf(body, 'reachable')?.state).toBe('passed');
    expect(stateOf(body, 'auth')).toMatchObject({
      state: 'failed',
      advice: expect.stringContaining('token'),
    });
    expect(stateOf(body, 'images')?.state).toBe('skipped');
    expect(JSON.stringify(body)).not.toContain(secret);
    await guarded.close();
  });

  it('reports an unreachable host, a wrong clock and a different KMS', async () => {
    const silent = await fleet.admin.call('checkNewTeepod', { body: { url: 'http://127.0.0.1:9' } });
    expect(stateOf(silent.body as AdminTeepodCheck, 'reachable')).toMatchObject({
      state: 'failed',
      advice: expect.any(String),
    });
    const late = await startFakeVmm();
    for (const method of ['Version', 'ListImages', 'ListGpus', 'Status', 'GetMeta', 'GetAppEnvEncryptPubKey'])
      late.on(`/prpc/${method}`, (_request, response) => {
        response.setHeader('date', new Date(Date.now() - 600_000).toUTCString());
        return 'pass';
      });
    await db()
      .updateTable('kms')
      .set({ k256_pubkey: `02${'11'.repeat(32)}` })
      .where('id', '=', fleet.hosts[1]!.host.kms.id)
      .execute();
    const reply = await fleet.admin.call('checkNewTeepod', {
      body: { url: late.url, kms_id: fleet.hosts[1]!.host.kms.id, max_cvms: 1_000_000 },
    });
    const body = reply.body as AdminTeepodCheck;
    expect(stateOf(body, 'clock')).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('behind'),
    });
    expect(stateOf(body, 'kms')?.state).toBe('failed');
    expect(body.ok).toBe(false);
    await late.close();
  });

  it('requires permission to add hosts and a valid address', async () => {
    expect((await fleet.member.call('checkNewTeepod', { body: { url: fake(0).url } })).status).toBe(403);
    const nonsense = await fleet.admin.call('checkNewTeepod', { body: { url: 'https://user:pass@host' } });
    expect(nonsense.status).toBe(422);
    expect((await fleet.admin.call('checkAdminTeepod', { path: { id: 999_999 } })).status).toBe(404);
    const own = await fleet.admin.call('checkAdminTeepod', { path: { id: pod(0).id } });
    expect(stateOf(own.body as AdminTeepodCheck, 'reachable')?.state).toBe('passed');
  });
});

describe('drift between host and database', () => {
  it('is listed and repaired on request', async () => {
    const services = fleet.server.services;
    const place = { host: fleet.hosts[0]!.host, ...fleet.who };
    const { cvm: lost } = await runningCvm(services, { ...place, name: 'lost' });
    const { cvm: other } = await runningCvm(services, { ...place, name: 'other' });
    const { cvm: fine } = await runningCvm(services, { ...place, name: 'fine' });
    const driver = services.vmm.get(pod(0));
    await driver.removeVm(lost.host_vm_id ?? '');
    await driver.updateVm(other.host_vm_id ?? '', {
      compose_file: '{"manifest_version":2,"name":"changed by hand","runner":"docker-compose"}',
    });
    await driver.createVm({
      name: 'by-hand',
      image: 'dstack-0.6.0',
      compose_file: '{"manifest_version":2,"name":"by hand","runner":"docker-compose"}',
      vcpu: 1,
      memory: 1024,
      disk_size: 10,
    });
    await eventually('the VM is gone', async () => (await driver.getInfo(lost.host_vm_id ?? '')) === null);

    const managed = await fleet.admin.call('listManagedCvms', { path: { id: pod(0).id } });
    const drift = Object.fromEntries(
      (managed.body as AdminManagedCvms).cvms.map((one) => [one.vm_uuid, one.drift]),
    );
    expect(drift[lost.vm_uuid]).toEqual(['missing']);
    expect(drift[other.vm_uuid]).toContain('compose');
    const hosted = await fleet.admin.call('listHostedCvms', { path: { id: pod(0).id } });
    const vms = (hosted.body as AdminHostedCvms).vms;
    expect(vms.find(({ name }) => name === 'by-hand')?.drift).toEqual(['foreign']);
    const ofTeam = await services.db
      .selectFrom('teams')
      .select(['name as team_name', 'slug as team_slug'])
      .where('id', '=', fleet.who.team_id)
      .executeTakeFirstOrThrow();
    expect(managed.body.cvms.find(({ vm_uuid }) => vm_uuid === other.vm_uuid)).toMatchObject(ofTeam);
    expect(vms.find(({ cvm }) => cvm?.vm_uuid === other.vm_uuid)?.cvm).toMatchObject(ofTeam);
    // Only the hash of its Compose file is shown.
    expect(JSON.stringify(hosted.body)).not.toContain('changed by hand');

    expect((await fleet.member.call('repairAdminTeepod', { path: { id: pod(0).id }, body: {} })).status).toBe(
      403,
    );
    const repair = await fleet.admin.call('repairAdminTeepod', {
      path: { id: pod(0).id },
      body: { vm_uuids: [lost.vm_uuid, other.vm_uuid] },
    });
    expect(repair.status, JSON.stringify(repair.body)).toBe(200);
    const { rows } = repair.body;
    expect(rows.find(({ vm_uuid }) => vm_uuid === other.vm_uuid)).toMatchObject({ done: true });
    // Its disk may come back, so nothing is created in its place.
    expect(rows.find(({ vm_uuid }) => vm_uuid === lost.vm_uuid)).toMatchObject({
      done: false,
      message: expect.stringContaining('Nothing is created in its place'),
    });
    const driftNow = async (uuid: string) => {
      const { body } = await fleet.admin.call('listManagedCvms', { path: { id: pod(0).id } });
      return (body as AdminManagedCvms).cvms.find(({ vm_uuid }) => vm_uuid === uuid);
    };
    await eventually('the CVM matches the database', async () => {
      const now = await driftNow(other.vm_uuid);
      return now?.status === 'running' && !now.drift.includes('compose');
    });
    expect((await driftNow(lost.vm_uuid))?.drift).toEqual(['missing']);
    const untouched = await db()
      .selectFrom('operations')
      .select('id')
      .where('cvm_id', '=', fine.id)
      .execute();
    expect(untouched).toEqual([]);
    const trail = await fleet.audits('teepod', pod(0).id);
    expect(trail.at(-1)?.action).toBe('teepod.repair');
  });

  it("is repaired for a CVM recorded with another host's VM ID once an administrator chooses its VM", async () => {
    const services = fleet.server.services;
    const place = { host: fleet.hosts[0]!.host, ...fleet.who };
    const { cvm } = await runningCvm(services, { ...place, name: 'misplaced' });
    // As after a database restore, or when an address temporarily led to another host.
    await db()
      .updateTable('cvms')
      .set({ host_vm_id: 'of-another-host', updated_at: new Date(Date.now() - 60_000) })
      .where('id', '=', cvm.id)
      .execute();
    await reconcileTeepod(services, services.jobs, pod(0));
    const repair = await fleet.admin.call('repairAdminTeepod', {
      path: { id: pod(0).id },
      body: { vm_uuids: [cvm.vm_uuid], host_vm_ids: [cvm.host_vm_id] },
    });
    expect(repair.body.rows).toContainEqual(
      expect.objectContaining({
        vm_uuid: cvm.vm_uuid,
        done: true,
        message: expect.stringContaining('It uses this VM now') as string,
      }),
    );
    const row = await eventually('the CVM has its VM again', async () => {
      const now = await db()
        .selectFrom('cvms')
        .selectAll()
        .where('id', '=', cvm.id)
        .executeTakeFirstOrThrow();
      return now.status === 'running' && now.host_vm_id !== 'of-another-host' ? now : null;
    });
    expect(row.host_vm_id).toBe(cvm.host_vm_id);

    // The URL of another host, where every CVM would be recreated.
    const move = (body: Record<string, unknown>) =>
      fleet.admin.call('updateAdminTeepod', { path: { id: pod(0).id }, body });
    const elsewhere = await move({ url: `${fake(1).url}/` });
    expect(elsewhere.status).toBe(409);
    expect(problemOf(elsewhere.body).detail.message).toContain('has none of the CVMs');
    expect((await move({ url: `${fake(0).url}/` })).status, 'the same host at another URL').toBe(200);
    expect((await move({ state: 'offline', url: `${fake(1).url}/` })).status).toBe(200);
    await db()
      .updateTable('teepods')
      .set({ url: fake(0).url, state: 'online' })
      .where('id', '=', pod(0).id)
      .execute();
  });

  it("is prevented by refusing a host that runs another teepod's CVMs", async () => {
    const services = fleet.server.services;
    await runningCvm(services, { host: fleet.hosts[0]!.host, ...fleet.who, name: 'at-home' });
    const again = await fleet.admin.call('createAdminTeepod', {
      body: { node_id: pod(1).node_id, name: 'again', url: fake(0).at('again') },
    });
    expect(again.status).toBe(409);
    expect(problemOf(again.body).detail).toMatchObject({
      message: `This host runs CVMs of the teepod ${pod(0).name}, so it is the same host at another address.`,
      details: [{ field: 'url' }],
    });
    // Neither can another teepod be moved there.
    const moved = await fleet.admin.call('updateAdminTeepod', {
      path: { id: pod(1).id },
      body: { url: fake(0).at('moved') },
    });
    expect(moved.status).toBe(409);
    expect(problemOf(moved.body).detail.message).toContain(`CVMs of the teepod ${pod(0).name}`);
  });

  it('cannot be determined while the host is unreachable', async () => {
    const { id } = await db()
      .updateTable('teepods')
      .set({ url: 'http://127.0.0.1:9' })
      .where('id', '=', pod(1).id)
      .returning('id')
      .executeTakeFirstOrThrow();
    const hosted = await fleet.admin.call('listHostedCvms', { path: { id } });
    expect(hosted.body).toMatchObject({ answered: false, vms: [], error: expect.any(String) });
    const repair = await fleet.admin.call('repairAdminTeepod', { path: { id }, body: {} });
    expect(repair.status).toBe(502);
    const kms = await fleet.admin.call('getTeepodKms', { path: { id } });
    expect(kms.body).toMatchObject({ answered: false, key_state: 'skipped' });
    await db()
      .updateTable('teepods')
      .set({ url: fake(1).url })
      .where('id', '=', id)
      .execute();
  });
});

describe('a teepod', () => {
  it('has the gateway domain that its host reports, or the entered one if it reports none', async () => {
    const path = { id: pod(0).id };
    const gateway_base_domain = 'apps.example.test';
    const update = (domain: string | null) =>
      fleet.admin.call('updateAdminTeepod', { path, body: { gateway_base_domain: domain } });
    const other = await startFakeVmm();
    const body = { node_id: pod(0).node_id, name: 'other-domain', url: other.url, gateway_base_domain };
    for (const reply of [
      await update(gateway_base_domain),
      await fleet.admin.call('createAdminTeepod', { body }),
    ]) {
      expect(reply.status).toBe(422);
      const { message, details } = problemOf(reply.body).detail;
      expect(message).toContain('The host reports gw.example.test');
      expect(details[0]?.field).toBe('gateway_base_domain');
    }
    await other.close();
    expect((await update('https://apps.example.test')).status).toBe(422);
    fake(0).on('/prpc/GetMeta', (_request, response) => response.end('{"gateway":null}'));
    expect((await update(gateway_base_domain)).body).toMatchObject({ gateway_base_domain });
    expect((await update(null)).body).toMatchObject({ gateway_base_domain: null });
    fake(0).on('/prpc/GetMeta', () => 'pass');
  });

  it('can be opened to a team and closed again', async () => {
    const id = pod(1).id;
    const team_slug = fleet.member.slug ?? '';
    const added = await fleet.admin.call('allowTeepodTeam', { path: { id }, body: { team_slug } });
    expect(added.body).toMatchObject({ all_teams: true, teams: [{ slug: team_slug }] });
    await db().updateTable('teepods').set({ all_teams: false }).where('id', '=', id).execute();
    const usable = async () =>
      (await teepodCapacities(db(), { team_id: fleet.who.team_id })).some(
        ({ teepod_id }) => teepod_id === id,
      );
    expect(await usable()).toBe(true);
    const taken = await fleet.admin.call('disallowTeepodTeam', { path: { id }, body: { team_slug } });
    expect(taken.body).toMatchObject({ teams: [] });
    expect(await usable()).toBe(false);
    const unknownTeam = await fleet.admin.call('allowTeepodTeam', {
      path: { id },
      body: { team_slug: 'no-such-team' },
    });
    expect(unknownTeam.status).toBe(422);
    await db().updateTable('teepods').set({ all_teams: true }).where('id', '=', id).execute();
  });

  it('offers only OS images that are not retired', async () => {
    const images = await fleet.admin.call('listTeepodOsImages', { path: { id: pod(1).id } });
    const [image] = images.body;
    expect(image).toMatchObject({ name: 'dstack-0.6.0', state: 'active', os_image_hash: expect.any(String) });
    const id = image?.id ?? 0;
    const read = await fleet.admin.call('getAdminOsImage', { path: { id } });
    const etag = read.headers.get('etag') ?? '';
    const retired = await fleet.admin.call('updateAdminOsImage', {
      path: { id },
      body: { state: 'retired' },
      headers: { 'if-match': etag },
    });
    expect(retired.body).toMatchObject({ state: 'retired' });
    const stale = await fleet.admin.call('updateAdminOsImage', {
      path: { id },
      body: { state: 'active' },
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    const offered = await fleet.member.call('listOsImages');
    expect(JSON.stringify(offered.body)).not.toContain('dstack-0.6.0');
    await fleet.admin.call('updateAdminOsImage', { path: { id }, body: { state: 'active' } });
  });

  it('takes no new CVMs while cordoned', async () => {
    const path = { id: pod(1).id };
    expect((await fleet.admin.call('cordonAdminTeepod', { path })).body).toMatchObject({ state: 'cordoned' });
    expect((await fleet.admin.call('cordonAdminTeepod', { path })).status).toBe(409);
    const back = await fleet.admin.call('uncordonAdminTeepod', { path, body: {} });
    expect(back.body).toMatchObject({ state: 'online' });
  });
});

it('ends the notices about a silent host that is removed', async () => {
  const { teepod } = await insertHost(db(), { kind: 'dstack_vmm' });
  const { team_id, user_id } = await identityOf(db(), fleet.member.email!);
  const notice = {
    state: 'open',
    kind: 'host_trouble',
    subject: `teepod:${teepod.id}`,
    severity: 'error',
    title: `The host ${teepod.name} isn’t responding`,
    message: '',
  } as const;
  await withTransaction(db(), (trx) =>
    openNotices(trx, notice, { team_id, cvm_id: null, at: new Date() }, [
      { user_id, console: true, mail: false },
    ]),
  );
  const path = { id: teepod.id };
  expect((await fleet.member.call('deleteAdminTeepod', { path })).status).toBe(403);
  expect((await fleet.admin.call('deleteAdminTeepod', { path })).status).toBe(204);
  const { data } = (await fleet.member.call('listNotifications')).body;
  expect(data.find(({ title }) => title === notice.title)).toMatchObject({
    message: `The host ${teepod.name} was removed`,
    resolved_at: expect.any(String) as string,
  });
});
