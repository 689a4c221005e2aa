import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Provision } from '../../../../generated/api/types.gen';
import { teepodCapacities } from '../../../db/hosts/reservations';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { insertTeam } from '../../../testing/teamFixtures';

/* Deployments of what a team was offered on the waitlist, or that are repeated. The host has one slot. */

let server: TestServer;
let fake: FakeVmm;
let host: TestHost;
let member: TestClient;
let other: number;
const db = () => server.services.db;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  host = await insertHost(db(), { name: 'offered', url: fake.url });
  await db()
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db(),
  );
  await db().updateTable('teepods').set({ max_cvms: 1 }).execute();
  other = (await insertTeam(db(), 'other')).id;
});
beforeEach(async () => {
  await sql`delete from reservations`.execute(db());
  await sql`delete from gpu_waits`.execute(db());
  member = await server.register();
  const { team_id, user_id } = await identityOf(db(), member.email!);
  await db()
    .insertInto('gpu_waits')
    .values({
      team_id,
      user_id,
      gpus: 0,
      vcpu: 1,
      notified_at: new Date(),
      teepod_id: host.teepod.id,
      held_until: new Date(Date.now() + 30 * 60_000),
      held_vcpu: 1,
    })
    .execute();
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const provision = async (name: string) => {
  const { status, body } = await member.call('provisionCvm', {
    body: { name, compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' } },
  });
  expect([status, body]).toMatchObject([200, {}]);
  return body as Provision;
};
const commit = async ({ app_id, compose_hash }: Provision) => {
  const { status, body } = await member.call('createCvm', { body: { app_id, compose_hash } });
  expect([status, body]).toMatchObject([200, {}]);
};
/** As fifteen minutes later. */
const expire = () =>
  sql`update reservations set expires_at = now() - interval '1 second' where expires_at is not null`.execute(
    db(),
  );
const slotsFor = async (team_id: number) =>
  (await teepodCapacities(db(), { team_id, teepod_id: host.teepod.id }))[0]?.slots;
const heldUntil = async () => {
  const { body } = await member.call('getGpuWait');
  return (body as { wait: { held_until: string | null } }).wait.held_until;
};

it('leaves the offer to the team if it is abandoned', async () => {
  const until = await heldUntil();
  expect(until).not.toBeNull();
  await provision('abandoned');
  // The reservation has taken the place of the offer.
  expect([await slotsFor(other), await heldUntil()]).toEqual([0, null]);
  await expire();
  expect([await slotsFor(other), await heldUntil()]).toEqual([0, until]);
  await provision('instead');
  expect([await slotsFor(other), await heldUntil()]).toEqual([0, null]);
});

it('gives nothing up while it replaces an earlier one of the same name', async () => {
  await provision('again');
  // As between the steps of a repeated deployment.
  await sql`delete from reservations`.execute(db());
  expect(await slotsFor(other)).toBe(0);
  await commit(await provision('again'));
});

it('keeps room that wasn’t offered while it replaces an earlier one of the same name', async () => {
  await sql`delete from gpu_waits`.execute(db());
  await provision('repeated');
  // The key service is called between the choice of a host and the reservation.
  const between: Promise<number | undefined>[] = [];
  fake.on('/kms/prpc/GetAppEnvEncryptPubKey', () => {
    between.push(slotsFor(other));
    return 'pass';
  });
  await provision('repeated');
  fake.on('/kms/prpc/GetAppEnvEncryptPubKey', () => 'pass');
  expect(await Promise.all(between)).toEqual([0]);
  const { rows } = await sql`select from reservations`.execute(db());
  expect(rows).toHaveLength(1);
  await commit(await provision('repeated'));
});

it('keeps its room when it is repeated with more than there is', async () => {
  await sql`delete from gpu_waits`.execute(db());
  const first = await provision('too-large');
  await db().updateTable('teepods').set({ max_disk_gb: 30 }).execute();
  try {
    const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
    const { body } = await member.call('provisionCvm', {
      body: { name: 'too-large', compose_file, disk_size: 40 },
    });
    expect(body).toMatchObject({
      error_code: 'ERR-02-002',
      detail: { message: expect.stringContaining('limit: disk') },
    });
    expect(await slotsFor(other)).toBe(0);
    await commit(first);
  } finally {
    await db().updateTable('teepods').set({ max_disk_gb: 1000 }).execute();
  }
});

it.each([
  ['in time', () => Promise.resolve()],
  ['after its reservation expired', expire],
])('ends the offer once it is committed %s', async (_, before) => {
  const reserved = await provision('committed');
  await before();
  await commit(reserved);
  expect(await heldUntil()).toBeNull();
  // The CVM is deleted before the offer would have ended.
  await sql`delete from reservations`.execute(db());
  expect([await slotsFor(other), await heldUntil()]).toEqual([1, null]);
});
