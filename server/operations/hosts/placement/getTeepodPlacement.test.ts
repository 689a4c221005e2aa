import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminTeepodPlacement, Preflight } from '../../../../generated/api/types.gen';
import { identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

let test: AdminTest;
let host: TestHost;
let team_slug: string;

beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  const { db } = test.server.services;
  host = await insertHost(db, { name: 'judged' });
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db,
  );
  const { team_id } = await identityOf(db, test.member.email ?? '');
  ({ slug: team_slug } = await db
    .selectFrom('teams')
    .select('slug')
    .where('id', '=', team_id)
    .executeTakeFirstOrThrow());
});
afterAll(() => test?.server.stop());

const SMALL = { vcpu: 1, memory_mb: 2048, disk_gb: 20 };

const check = (query: object = {}, id = host.teepod.id, caller = test.admin) =>
  caller.call('getTeepodPlacement', { path: { id }, query: { team_slug, ...SMALL, ...query } });
const failing = async () => {
  const { status, body } = await check();
  expect(status).toBe(200);
  const { fits, checks } = body as AdminTeepodPlacement;
  const names = checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
  expect(fits).toBe(names.length === 0);
  return names;
};
const preflight = () =>
  test.member.call('deployPreflight', {
    body: {
      name: 'judged',
      compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
      teepod_id: host.teepod.id,
      vcpu: SMALL.vcpu,
      memory: SMALL.memory_mb,
      disk_size: SMALL.disk_gb,
    },
  });
const isPlaced = async () => {
  const { status, body } = await preflight();
  return status === 200 && (body as Preflight).fits;
};

describe('why a CVM is not placed on a host', () => {
  it('is nothing where a deployment fits', async () => {
    expect(await failing()).toEqual([]);
    expect(await isPlaced()).toBe(true);
  });

  it.each([
    ['open', 'teepods', "state = 'cordoned'", "state = 'online'"],
    ['open', 'teepods', 'reachable = false', 'reachable = true'],
    ['open', 'nodes', "state = 'maintenance'", "state = 'online'"],
    ['team', 'teepods', 'all_teams = false', 'all_teams = true'],
    ['kms', 'kms', "state = 'retired'", "state = 'active'"],
    ['image', 'os_images', "state = 'retired'", "state = 'active'"],
    ['slots', 'teepods', 'max_cvms = 0', 'max_cvms = 10'],
    ['vcpu', 'teepods', 'max_vcpu = 0', 'max_vcpu = 10'],
    ['memory', 'teepods', 'max_memory_mb = 2047', 'max_memory_mb = 10000'],
    ['disk', 'teepods', 'max_disk_gb = 19', 'max_disk_gb = 1000'],
  ])('is what refuses a deployment too: %s of %s', async (name, table, change, back) => {
    const { db } = test.server.services;
    const set = (what: string) => sql`update ${sql.table(table)} set ${sql.raw(what)}`.execute(db);
    await set(change);
    expect(await failing()).toEqual([name]);
    expect(await isPlaced()).toBe(false);
    await set(back);
    expect(await failing()).toEqual([]);
    expect(await isPlaced()).toBe(true);
  });

  it('is room that members of another team were offered, and refuses a deployment too', async () => {
    const { db } = test.server.services;
    const { team_id, user_id } = await identityOf(db, test.admin.email ?? '');
    const held = { held_vcpu: 10, held_memory_mb: 2048, held_disk_gb: 20 };
    await sql`update teepods set max_vcpu = 10`.execute(db);
    await db
      .insertInto('gpu_waits')
      .values({
        team_id,
        user_id,
        gpus: 0,
        vcpu: 10,
        notified_at: new Date(),
        teepod_id: host.teepod.id,
        held_until: new Date(Date.now() + 60_000),
        ...held,
      })
      .execute();
    expect(await failing()).toEqual(['held']);
    expect(await isPlaced()).toBe(false);
    const found = async () =>
      ((await check()).body as AdminTeepodPlacement).checks.find(({ name }) => name === 'held');
    expect((await found())?.found).toMatch(
      /^Offered to members of other teams .* held until .* UTC: 10 vCPU, 2 GB memory and 20 GB disk\.$/,
    );
    await sql`update teepods set max_vcpu = 11`.execute(db);
    expect(await failing()).toEqual([]);
    expect((await found())?.state).toBe('warning');
    expect(await isPlaced()).toBe(true);
    await sql`update teepods set max_vcpu = 10`.execute(db);
    await sql`update gpu_waits set held_until = now()`.execute(db);
    expect(await failing()).toEqual([]);
    expect(await found()).toMatchObject({ state: 'passed', found: 'Nothing is held for other teams.' });
    expect(await isPlaced()).toBe(true);
  });

  it('is in the refusal of a team that deploys to a closed host', async () => {
    const { db } = test.server.services;
    await db.updateTable('teepods').set({ state: 'cordoned' }).execute();
    expect((await preflight()).body).toMatchObject({
      message: "The host “judged” isn't accepting new CVMs because it is cordoned.",
    });
    await db.updateTable('teepods').set({ state: 'online' }).execute();
  });

  it('is in the refusal of a team whose host has no OS image', async () => {
    const { db } = test.server.services;
    const reason = async () => ((await preflight()).body as Preflight).refusal?.reason;
    await db.deleteFrom('teepod_os_images').execute();
    expect(await failing()).toEqual(['image']);
    expect(await reason()).toBe('The host “judged” has no OS image.');
    await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
      db,
    );
    expect(await reason()).toBeUndefined();
  });

  it('is shown to platform staff only, about teams and hosts that exist', async () => {
    expect((await check({}, host.teepod.id, test.member)).status).toBe(403);
    expect((await check({}, host.teepod.id, test.server.anonymous)).status).toBe(401);
    expect((await check({ team_slug: 'nobody-here' })).status).toBe(404);
    expect((await check({}, 999_999)).status).toBe(404);
    expect((await check({ vcpu: 0 })).status).toBe(422);
  });
});
