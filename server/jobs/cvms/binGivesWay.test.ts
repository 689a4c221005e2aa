import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AuditEntryPage,
  NotificationPage,
  Preflight,
  Provision,
  RecycledCvmPage,
} from '../../../generated/api/types.gen';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/**
 * A host with two slots: an error names what deleted CVMs hold, and they make room if the administrator allows
 * it.
 */
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
let server: TestServer;
let admin: TestClient;
let loser: TestClient;
let deployer: TestClient;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ teepod: true, env: { LOCAL_TEEPOD_MAX_CVMS: '2' } });
  admin = await server.register();
  loser = await server.register();
  deployer = await server.register();
});
afterAll(() => server?.stop());

const db = () => server.services.db;
const wish = () => ({ name: `bin-${++count}`, compose_file: { docker_compose_file: COMPOSE } });
const provision = (client: TestClient) => client.call('provisionCvm', { body: wish() });
const preflight = async (client: TestClient) =>
  (await client.call('deployPreflight', { body: wish() })).body as Preflight;
const row = (vm_uuid: string) =>
  db().selectFrom('cvms').selectAll().where('vm_uuid', '=', vm_uuid).executeTakeFirstOrThrow();
const set = (vm_uuid: string, change: Record<string, unknown>) =>
  db()
    .updateTable('cvms')
    .set(change as never)
    .where('vm_uuid', '=', vm_uuid)
    .execute();
const setTeam = (client: TestClient, change: { max_cvms: number }) =>
  db()
    .updateTable('teams')
    .set(change)
    .where('slug', '=', client.slug ?? '')
    .execute();
const allow = (recycle_bin_gives_way: boolean) =>
  admin.call('updateAdminSettings', { body: { recycle_bin_gives_way, recycle_bin_min_age_hours: 6 } });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** Deploys a CVM and deletes it. It has been in the recycle bin for `hours`. */
async function recycle(client: TestClient, hours: number): Promise<string> {
  const { app_id, compose_hash } = (await provision(client)).body as Provision;
  const made = await client.call('createCvm', { body: { app_id, compose_hash } });
  const { vm_uuid } = made.body as { vm_uuid: string };
  await eventually('it runs', async () => (await row(vm_uuid)).status === 'running');
  expect((await client.call('deleteCvm', { path: { cvm_id: vm_uuid } })).status).toBe(204);
  await eventually('it is in the recycle bin', async () => (await row(vm_uuid)).status === 'stopped');
  await set(vm_uuid, { deleted_at: hoursAgo(hours) });
  return vm_uuid;
}

/** Frees both slots. */
beforeEach(async () => {
  await db().deleteFrom('reservations').where('provision_id', 'is not', null).execute();
  await db()
    .updateTable('cvms')
    .set({ purge_at: new Date(0), protected: false })
    .where('purge_at', 'is not', null)
    .execute();
  await eventually('the recycle bin is empty', async () => {
    const { length } = await db().selectFrom('reservations').select('id').execute();
    return length === 0;
  });
});

describe('a deployment for which the recycle bin holds the capacity', () => {
  it("is refused with what the bin holds, and the team's own share", async () => {
    await allow(false);
    await recycle(loser, 20);
    await recycle(deployer, 20);
    const refused = await provision(deployer);
    expect(refused).toMatchObject({
      body: {
        code: 'ERR-02-005',
        detail: {
          message: expect.stringContaining(
            'recycle bin take up 2 CVM slots on otherwise suitable hosts, including 1 CVM slot from your team.',
          ),
        },
        suggestions: expect.arrayContaining([expect.stringContaining("team's recycle bin")]),
      },
    });
    const { fits, refusal } = await preflight(deployer);
    expect(fits).toBe(false);
    expect(refusal?.reason).toContain('2 CVM slots');
    const { body } = await admin.call('listAdminTeepods');
    expect(body).toMatchObject([{ used_cvms: 2, recycled_cvms: 2, recycled_disk_gb: 40 }]);
    expect((await admin.call('getAdminFleet')).body).toMatchObject({
      sums: { recycled_cvms: 2, recycled_disk_gb: 40 },
    });
  });

  it('destroys the oldest deleted CVM, no more, and notifies its team', async () => {
    await allow(true);
    const newer = await recycle(loser, 10);
    const oldest = await recycle(loser, 20);
    const { fits, warnings } = await preflight(deployer);
    expect(fits).toBe(true);
    expect(warnings.map(({ kind }) => kind)).toContain('recycle_bin_gives_way');
    await eventually('the deployment has room', async () => (await provision(deployer)).status === 200);
    expect((await row(oldest)).status).toBe('deleted');
    expect(await row(newer)).toMatchObject({ status: 'stopped', purge_at: expect.any(Date) });
    const bin = ((await loser.call('listRecycledCvms')).body as RecycledCvmPage).data;
    expect(bin.map(({ vm_uuid }) => vm_uuid)).toEqual([newer]);

    const { id, name, public_id } = await row(oldest);
    const events = await db().selectFrom('events').select('kind').where('cvm_id', '=', id).execute();
    expect(events.filter(({ kind }) => kind === 'cvm.bin_gave_way')).toHaveLength(1);
    const { data: trail } = (await loser.call('listAuditEntries', { path: { slug: loser.slug ?? '' } }))
      .body as AuditEntryPage;
    expect(trail.filter(({ action }) => action === 'cvm.bin_gave_way')).toHaveLength(1);
    expect(JSON.stringify(trail)).toContain(public_id);
    await eventually('the team is notified', async () => {
      const { data } = (await loser.call('listNotifications')).body as NotificationPage;
      return data.some(({ title }) => title.startsWith(name) && title.includes('recycle bin'));
    });
  });

  it('keeps what it reserved before, until it reserves instead', async () => {
    await allow(true);
    const oldest = await recycle(loser, 20);
    const body = wish();
    const first = await deployer.call('provisionCvm', { body: { ...body, disk_size: 20 } });
    expect([first.status, first.body]).toMatchObject([200, {}]);
    // Enough for either, not for both.
    await db().updateTable('teepods').set({ max_disk_gb: 50 }).execute();
    await setTeam(deployer, { max_cvms: 1 });
    await sql`create table held (reservations int)`.execute(db());
    await sql`create function note_held() returns trigger language plpgsql as $$ begin
      insert into held select count(*) from reservations where provision_id is not null; return new; end $$`.execute(
      db(),
    );
    await sql`create trigger note_held after insert on events for each row when (new.kind = 'cvm.bin_gave_way')
      execute function note_held()`.execute(db());
    try {
      await eventually('the larger one has room', async () => {
        const again = await deployer.call('provisionCvm', { body: { ...body, disk_size: 40 } });
        return again.status === 200;
      });
      expect((await row(oldest)).status).toBe('deleted');
      const { rows: held } = await sql`select reservations from held`.execute(db());
      expect(held).toEqual([{ reservations: 1 }]);
      const reserved = await db().selectFrom('reservations').select('disk_gb').execute();
      expect(reserved).toEqual([{ disk_gb: 40 }]);
    } finally {
      await sql`drop function note_held cascade`.execute(db());
      await setTeam(deployer, { max_cvms: 20 });
      await db().updateTable('teepods').set({ max_disk_gb: 1000 }).execute();
    }
  });

  it.each([
    ['younger than the minimum age', async (vm_uuid: string) => set(vm_uuid, { deleted_at: hoursAgo(5) })],
    ['protected', async (vm_uuid: string) => set(vm_uuid, { protected: true })],
    ['deleted because of a debt', debtDelete],
    ['being restored', restoring],
  ])('spares a CVM that is %s', async (_, keep) => {
    await allow(true);
    const kept = [await recycle(loser, 20), await recycle(loser, 20)];
    for (const vm_uuid of kept) await keep(vm_uuid);
    expect((await preflight(deployer)).fits).toBe(false);
    expect((await provision(deployer)).body).toMatchObject({ code: 'ERR-02-005' });
    for (const vm_uuid of kept) expect((await row(vm_uuid)).purge_at).toBeInstanceOf(Date);
    await db().deleteFrom('operations').where('type', '=', 'restart').execute();
  });

  it('destroys nothing for a team without quota', async () => {
    await allow(true);
    const kept = [await recycle(loser, 20), await recycle(loser, 20)];
    const poor = await server.register();
    await setTeam(poor, { max_cvms: 0 });
    expect((await provision(poor)).body).toMatchObject({ code: 'ERR-02-015' });
    for (const vm_uuid of kept) expect((await row(vm_uuid)).status).toBe('stopped');
  });
});

async function debtDelete(vm_uuid: string): Promise<void> {
  const { id, team_id, app_id } = await row(vm_uuid);
  await db()
    .insertInto('events')
    .values({ team_id, app_id, cvm_id: id, kind: 'cvm.debt_delete', message: 'Being moved' } as never)
    .execute();
}

async function restoring(vm_uuid: string): Promise<void> {
  const { id, team_id } = await row(vm_uuid);
  await db()
    .insertInto('operations')
    .values({
      correlation_id: crypto.randomUUID(),
      team_id,
      cvm_id: id,
      type: 'restart',
      state: 'running',
      target: 'running',
      requested_by: null,
      lease_owner: 'test',
      lease_until: new Date(Date.now() + 600_000),
      deadline_at: new Date(Date.now() + 600_000),
    })
    .execute();
}
