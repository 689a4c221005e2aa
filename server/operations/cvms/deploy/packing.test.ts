import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { insertHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Deployments of many teams at the same time, on hosts for four CVMs each. */
let server: TestServer;
let fake: FakeVmm;
const SLOTS = 4;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  const hosts = [];
  for (const name of ['one', 'two', 'three'])
    hosts.push(await insertHost(db, { name: `packed-${name}`, url: `${fake.url}/${name}` }));
  const kms_id = hosts[0]!.kms.id;
  await db.updateTable('teepods').set({ kms_id, max_cvms: SLOTS }).execute();
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', kms_id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i`.execute(db);
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

/** Returns the number of reservations per host, most first, after deployments by as many teams. */
async function loadsAfter(
  placement: 'spread' | 'pack',
  members: readonly TestClient[],
  { together }: { together: boolean },
): Promise<number[]> {
  const { db } = server.services;
  await sql`delete from reservations`.execute(db);
  await db.updateTable('platform_settings').set({ placement }).execute();
  const deploy = (member: TestClient, i: number) =>
    member.call('provisionCvm', {
      body: {
        name: `${placement}-${together ? 'together' : 'one'}-${i}`,
        compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
      },
    });
  const statuses: number[] = [];
  if (together) statuses.push(...(await Promise.all(members.map(deploy))).map(({ status }) => status));
  else for (const [i, member] of members.entries()) statuses.push((await deploy(member, i)).status);
  expect(statuses).toEqual(members.map(() => 200));
  const { rows } = await sql<{ n: number }>`
    select count(r.id)::int as n from teepods t left join reservations r on r.teepod_id = t.id
    group by t.id order by n desc`.execute(db);
  return rows.map(({ n }) => n);
}

it('fill one host after another if placement packs, and leave the others empty', async () => {
  const members = await Promise.all(Array.from({ length: 2 * SLOTS }, () => server.register()));
  expect(await loadsAfter('pack', members, { together: true })).toEqual([SLOTS, SLOTS, 0]);
  expect(await loadsAfter('pack', members.slice(0, 3), { together: false })).toEqual([3, 0, 0]);
  expect(await loadsAfter('spread', members.slice(0, 3), { together: false })).toEqual([1, 1, 1]);
});
