import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { offerRoom } from '../../../jobs/hosts/offerRoom';
import { identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { mailsTo } from '../../../testing/mail';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** The waitlist for GPUs and sizes: who gets an email, and when. Turns and held room: offerRoom.test.ts of the job. */
let server: TestServer;
let first: TestClient;
let second: TestClient;
let host: TestHost;
/** One for CVMs without GPUs, and one for CVMs with. */
let images: { id: number }[];
const db = () => server.services.db;
/** Enough for any size. */
const ROOM = { max_vcpu: 512, max_memory_mb: 4_194_304, max_disk_gb: 100_000, max_cvms: 100 };
/** More than any other host of the server has. */
const LARGE = { vcpu: 400, memory_mb: 1_048_576, disk_gb: 1024 };
const NO_SIZE = { vcpu: 0, memory_mb: 0, disk_gb: 0 };
const NO_OFFER = { held_until: null, blocked_by: null };

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  first = await server.register();
  second = await server.register();
  host = await insertHost(db(), { name: 'gpu-host', kind: 'dstack_vmm' });
  await db().updateTable('teepods').set(ROOM).where('id', '=', host.teepod.id).execute();
  images = await db()
    .insertInto('os_images')
    .values(
      [false, true].map((requires_gpu) => ({
        name: `waited-for-${requires_gpu}`,
        slug: `waited-for-${requires_gpu}`,
        version: '0.6.0',
        requires_gpu,
      })),
    )
    .returning('id')
    .execute();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  await db().deleteFrom('gpu_waits').execute();
  await db().deleteFrom('gpus').execute();
  await db().deleteFrom('outbox').execute();
  await db().updateTable('teams').set({ room_offered_at: null }).execute();
  await room(ROOM);
  await offer(...images);
});

/** Makes these the host's images. */
async function offer(...these: { id: number }[]) {
  await db().deleteFrom('teepod_os_images').where('teepod_id', '=', host.teepod.id).execute();
  if (these.length === 0) return;
  await db()
    .insertInto('teepod_os_images')
    .values(these.map(({ id }) => ({ teepod_id: host.teepod.id, os_image_id: id })))
    .execute();
}

const have = (count: number) =>
  db()
    .insertInto('gpus')
    .values(
      Array.from({ length: count }, (_, i) => ({
        teepod_id: host.teepod.id,
        slot: `0000:${(0x10 + i).toString(16)}:00.0`,
        product_id: '10de:2335',
        description: 'NVIDIA H200',
        reported: true,
        last_seen_at: new Date(),
      })),
    )
    .execute();
const room = (change: object) =>
  db().updateTable('teepods').set(change).where('id', '=', host.teepod.id).execute();
const want = async (who: TestClient, body: Partial<typeof LARGE> & { gpus?: number }) =>
  (await who.call('putGpuWait', { body })).body;
const join = (who: TestClient, gpus: number) => want(who, { gpus });
/** As if the emails had been sent half an hour ago. */
const offersEnd = () =>
  db()
    .updateTable('gpu_waits')
    .set({ held_until: new Date(Date.now() - 1000) })
    .where('held_until', 'is not', null)
    .execute();
const waitOf = async (who: TestClient) => (await who.call('getGpuWait')).body;
const leaves = () =>
  db().selectFrom('audit_log').select('id').where('action', '=', 'gpu_wait.leave').execute();
const tell = () => offerRoom({ db: db(), outbox: server.services.mail, billingEnforced: false });
const mailTo = async (who: TestClient) =>
  (await mailsTo(server.services, who.email!)).filter(({ template }) =>
    ['gpus_free', 'room_free'].includes(template),
  );
/** The text without its line breaks. */
const wordsOf = (mail: { text: string } | undefined) => mail?.text.replaceAll(/\s+/g, ' ');
const mailed = async () => [(await mailTo(first)).length, (await mailTo(second)).length];

it('sends an email once a host has enough, and ends the wait', async () => {
  expect(await join(first, 2)).toEqual({
    wait: { gpus: 2, ...NO_SIZE, since: expect.any(String), notified_at: null, ...NO_OFFER },
  });
  await have(1);
  await tell();
  expect(await mailTo(first)).toEqual([]);
  await db().deleteFrom('gpus').execute();
  await have(2);
  await tell();
  await tell();
  const [mail, ...more] = await mailTo(first);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe(`2 GPUs are free for “${first.slug}”`);
  expect(mail?.text).toContain(`/dashboard/gpu-tee?team=${first.slug}`);
  expect(await waitOf(first)).toMatchObject({ wait: { gpus: 2, notified_at: expect.any(String) } });
});

it('mails only as many members as the free GPUs suffice for, in waitlist order', async () => {
  await join(first, 2);
  await join(second, 1);
  await have(2);
  await tell();
  expect([(await mailTo(first)).length, (await mailTo(second)).length]).toEqual([1, 0]);
  // Half an hour later they are still free.
  await offersEnd();
  await tell();
  expect((await mailTo(second)).length).toBe(1);
});

it('also waits for the vCPU, memory and disk of a size with that many GPUs', async () => {
  const size = await db()
    .selectFrom('instance_types')
    .selectAll()
    .where('gpu_count', '=', 1)
    .executeTakeFirstOrThrow();
  await join(first, 1);
  await have(1);
  for (const [column, least] of [
    ['max_vcpu', size.vcpu],
    ['max_memory_mb', size.memory_mb],
    ['max_disk_gb', size.default_disk_size_gb],
  ] as const) {
    await room({ [column]: least - 1 });
    await tell();
    expect([column, (await mailTo(first)).length]).toEqual([column, 0]);
    await room(ROOM);
  }
  await room({ max_vcpu: size.vcpu, max_memory_mb: size.memory_mb, max_disk_gb: size.default_disk_size_gb });
  await tell();
  expect((await mailTo(first)).length).toBe(1);
});

it('skips members who need more than is free', async () => {
  await join(first, 8);
  await join(second, 1);
  await have(1);
  await tell();
  expect([(await mailTo(first)).length, (await mailTo(second)).length]).toEqual([0, 1]);
});

it('keeps a place for fewer GPUs, and gives it up for more or after an email', async () => {
  const since = async () => ((await waitOf(first)) as { wait: { since: string } }).wait.since;
  await join(first, 2);
  const at = await since();
  await join(first, 1);
  expect(await since()).toBe(at);
  await join(first, 4);
  expect(await since()).not.toBe(at);
  await have(4);
  await tell();
  const later = await since();
  await join(first, 1);
  expect(await since()).not.toBe(later);
  expect(await waitOf(first)).toMatchObject({ wait: { notified_at: null } });
});

it('sends nothing to members who left the waitlist or may no longer deploy', async () => {
  await join(first, 1);
  expect((await first.call('deleteGpuWait')).status).toBe(204);
  expect((await first.call('deleteGpuWait')).status).toBe(204);
  expect(await waitOf(first)).toEqual({ wait: null });
  expect((await leaves()).length).toBe(1);
  await join(second, 1);
  const { team_id, user_id } = await identityOf(db(), second.email!);
  await db()
    .updateTable('memberships')
    .set({ role: 'viewer' })
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .execute();
  await have(1);
  await tell();
  expect([(await mailTo(first)).length, (await mailTo(second)).length]).toEqual([0, 0]);
  expect((await second.call('getGpuWait')).status).toBe(403);
  await db().updateTable('memberships').set({ role: 'owner' }).where('user_id', '=', user_id).execute();
});

it('does not count GPUs of hosts that the team can’t use, or that are reserved for another', async () => {
  await join(first, 1);
  await have(1);
  const { team_id } = await identityOf(db(), second.email!);
  await db().updateTable('gpus').set({ reserved_team_id: team_id }).execute();
  await tell();
  expect(await mailTo(first)).toEqual([]);
  await join(second, 1);
  await tell();
  expect((await mailTo(second)).length).toBe(1);
});

it('counts only hosts that have an OS image for it, and a key service, as a deployment does', async () => {
  const [plain, driver] = images;
  if (!plain || !driver) throw new Error('Two images are needed.');
  const setImage = (id: number, state: 'active' | 'retired') =>
    db().updateTable('os_images').set({ state }).where('id', '=', id).execute();
  const setKms = (change: object) =>
    db().updateTable('kms').set(change).where('id', '=', host.kms.id).execute();
  await have(1);
  await join(first, 1);
  await want(second, LARGE);
  const none = async (why: string) => {
    await tell();
    expect([why, ...(await mailed())]).toEqual([why, 0, 0]);
  };
  await offer();
  await none('no image');
  await offer(...images);
  await setImage(plain.id, 'retired');
  await setImage(driver.id, 'retired');
  await none('retired images');
  await setImage(plain.id, 'active');
  await setImage(driver.id, 'active');
  await setKms({ state: 'retiring' });
  await none('a key service that accepts no new apps');
  await setKms({ state: 'active', chain_id: 31337, kms_contract_address: `0x${'1'.repeat(40)}` });
  await none('a contract that can’t name the machine');
  await setKms({ chain_id: null, kms_contract_address: null });
  await offer(plain);
  await tell();
  expect(await mailed()).toEqual([0, 1]);
  await offer(driver);
  await tell();
  expect(await mailed()).toEqual([1, 1]);
});

describe('a wait for a size', () => {
  it('ends with an email once a host has a slot, the vCPU, the memory and the disk', async () => {
    expect(await want(first, LARGE)).toEqual({
      wait: { gpus: 0, ...LARGE, since: expect.any(String), notified_at: null, ...NO_OFFER },
    });
    for (const short of [
      { max_cvms: 0 },
      { max_vcpu: LARGE.vcpu - 1 },
      { max_memory_mb: LARGE.memory_mb - 1 },
      { max_disk_gb: LARGE.disk_gb - 1 },
    ]) {
      await room(short);
      await tell();
      expect([short, await mailTo(first)]).toEqual([short, []]);
      await room(ROOM);
    }
    await tell();
    await tell();
    const [mail, ...more] = await mailTo(first);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Capacity is available for “${first.slug}”`);
    expect(wordsOf(mail)).toContain('400 vCPU, 1 TB memory and 1 TB disk');
    expect(mail?.text).toContain(`/${first.slug}/deploy`);
    expect(await waitOf(first)).toMatchObject({ wait: { ...LARGE, notified_at: expect.any(String) } });
  });

  it('is notified only if there is room besides what those before it were offered', async () => {
    await want(first, LARGE);
    await want(second, { ...LARGE, vcpu: 113 });
    await tell();
    await tell();
    expect(await mailed()).toEqual([1, 0]);
    await want(second, { ...LARGE, vcpu: 112 });
    await tell();
    expect(await mailed()).toEqual([1, 1]);
  });

  it('is notified once an offer before it has ended, if the room is still free', async () => {
    await want(first, LARGE);
    await want(second, LARGE);
    await tell();
    expect(await mailed()).toEqual([1, 0]);
    await offersEnd();
    await tell();
    expect(await mailed()).toEqual([1, 1]);
  });

  it('is not notified about a host that its team can’t use, or that takes no CVMs', async () => {
    const { team_id } = await identityOf(db(), second.email!);
    const teepod_id = host.teepod.id;
    await room({ all_teams: false });
    await db().insertInto('teepod_teams').values({ teepod_id, team_id }).execute();
    await want(first, LARGE);
    await want(second, LARGE);
    await room({ state: 'cordoned' });
    await tell();
    expect(await mailed()).toEqual([0, 0]);
    await room({ state: 'online' });
    await tell();
    expect(await mailed()).toEqual([0, 1]);
    await db().deleteFrom('teepod_teams').where('teepod_id', '=', teepod_id).execute();
    await room({ all_teams: true });
  });

  it('can name GPUs too, which must be on the same host', async () => {
    await want(first, { ...LARGE, gpus: 1 });
    await tell();
    await have(1);
    await room({ max_vcpu: LARGE.vcpu - 1 });
    await tell();
    expect(await mailTo(first)).toEqual([]);
    await room(ROOM);
    await tell();
    expect(wordsOf((await mailTo(first))[0])).toContain('1 GPU, 400 vCPU, 1 TB memory and 1 TB disk');
  });

  it('keeps its place unless it wants more of anything', async () => {
    const since = async () => ((await waitOf(first)) as { wait: { since: string } }).wait.since;
    await want(first, LARGE);
    const at = await since();
    await want(first, { ...LARGE, vcpu: 100, disk_gb: 20 });
    expect(await since()).toBe(at);
    for (const more of [{ ...LARGE, vcpu: 101, disk_gb: 20 }, { ...LARGE, vcpu: 101 }, { gpus: 1 }, LARGE]) {
      const before = await since();
      await want(first, more);
      expect([more, (await since()) === before]).toEqual([more, false]);
    }
  });

  it('tells a member whose team is passed over why, and an offered one how long the room is held', async () => {
    const { team_id } = await identityOf(db(), first.email!);
    const quota = (max_vcpu: number) =>
      db().updateTable('teams').set({ max_vcpu }).where('id', '=', team_id).execute();
    await quota(LARGE.vcpu - 1);
    expect(await want(first, LARGE)).toMatchObject({ wait: { blocked_by: 'quota', held_until: null } });
    await tell();
    expect(await mailed()).toEqual([0, 0]);
    expect(await waitOf(first)).toMatchObject({ wait: { blocked_by: 'quota' } });
    await quota(4000);
    expect(await waitOf(first)).toMatchObject({ wait: { blocked_by: null } });
    await tell();
    const { wait } = (await waitOf(first)) as { wait: { held_until: string | null } };
    expect(Date.parse(wait.held_until ?? '') - Date.now()).toBeGreaterThan(29 * 60_000);
    expect(wordsOf((await mailTo(first))[0])).toContain('This capacity is held for your team until');
    await offersEnd();
    expect(await waitOf(first)).toMatchObject({ wait: { held_until: null } });
  });

  it('needs an amount', async () => {
    for (const body of [{}, { gpus: 0 }, { gpus: 0, ...NO_SIZE }])
      expect((await first.call('putGpuWait', { body })).status).toBe(422);
    expect(await waitOf(first)).toEqual({ wait: null });
  });
});
