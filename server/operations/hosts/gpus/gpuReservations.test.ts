import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { problemOf, startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

/** More requests than GPUs at the same time, with some GPUs reserved for teams. */
const GPUS = 8;
const EACH = 25;
/** Reserved for the first and the second team; the other four are first come, first served. */
const KEPT = [3, 1] as const;

let test: AdminTest;
let host: TestHost;
let teams: [number, number];
let gpus: { id: number; reserved_team_id: number | null }[];
const db = () => test.server.services.db;

beforeAll(async () => {
  test = await startAdminTest();
  host = await insertHost(db(), { name: 'gpu-host' });
  const [one, two] = await Promise.all(
    [test.admin, test.member].map((client) => identityOf(db(), client.email ?? '')),
  );
  teams = [one!.team_id, two!.team_id];
  const owner = (n: number) => (n < KEPT[0] ? teams[0] : n < KEPT[0] + KEPT[1] ? teams[1] : null);
  gpus = await db()
    .insertInto('gpus')
    .values(
      Array.from({ length: GPUS }, (_, n) => ({
        teepod_id: host.teepod.id,
        slot: `0000:1${n}:00.0`,
        product_id: '10de:2335',
        description: 'NVIDIA H200',
        reported: true,
        reserved_team_id: owner(n),
      })),
    )
    .returning(['id', 'reserved_team_id'])
    .execute();
});
afterAll(() => test?.server.stop());

it('assigns each of 8 GPUs to one eligible CVM under 50 concurrent attachments', async () => {
  const cvms = await Promise.all(
    teams.flatMap((team_id, at) =>
      Array.from({ length: EACH }, async (_, n) => {
        const name = `crowd-${at}-${n}`;
        const app = await insertApp(db(), { team_id, host, name });
        const cvm = await insertCvm(db(), {
          ...app,
          host,
          change: { status: 'stopped', desired: 'stopped', name },
        });
        await db()
          .insertInto('reservations')
          .values({ teepod_id: host.teepod.id, team_id, cvm_id: cvm.id, vcpu: 0, memory_mb: 0, disk_gb: 0 })
          .execute();
        return cvm;
      }),
    ),
  );
  // Both teams want every GPU, including those reserved for the other.
  const wanted = cvms.map((cvm, n) => ({ cvm, gpu: gpus[n % GPUS]! }));
  const answers = await Promise.all(
    wanted.map(async ({ cvm, gpu }) => {
      const path = { id: gpu.id };
      return {
        cvm,
        gpu,
        answer: await test.admin.call('attachAdminGpu', { path, body: { cvm_id: cvm.vm_uuid } }),
      };
    }),
  );
  const won = answers.filter(({ answer }) => answer.status === 200);
  expect(won).toHaveLength(GPUS);
  for (const { cvm, gpu } of won)
    expect(gpu.reserved_team_id ?? cvm.team_id, `${gpu.id} to ${cvm.name}`).toBe(cvm.team_id);
  for (const { cvm, gpu, answer } of answers.filter((one) => !won.includes(one))) {
    expect(answer.status, JSON.stringify(answer.body)).toBe(409);
    expect(problemOf(answer.body).detail.message).toMatch(
      gpu.reserved_team_id !== null && gpu.reserved_team_id !== cvm.team_id
        ? /reserved for another team|attached to the CVM/
        : /attached to the CVM “crowd-/,
    );
  }
  const { rows } = await sql<{
    gpu: number;
    cvm: number;
    team_id: number;
    kept: number | null;
    gpus: number;
  }>`
    select g.id::int as gpu, r.cvm_id::int as cvm, r.team_id::int, g.reserved_team_id::int as kept, c.gpus
    from gpus g join reservations r on r.id = g.reservation_id join cvms c on c.id = r.cvm_id`.execute(db());
  expect(rows).toHaveLength(GPUS);
  expect(new Set(rows.map(({ cvm }) => cvm)).size).toBe(GPUS);
  expect(rows.every((row) => row.gpus === 1 && (row.kept ?? row.team_id) === row.team_id)).toBe(true);
  const events = await db()
    .selectFrom('gpu_events')
    .select('gpu_id')
    .where('kind', '=', 'attached')
    .execute();
  expect(events.map(({ gpu_id }) => gpu_id).sort((a, b) => a - b)).toEqual(gpus.map(({ id }) => id));
});

it('counts GPUs that are held for a waiting team as taken for the others', async () => {
  await sql`update gpus set reservation_id = null, reserved_team_id = null`.execute(db());
  const { user_id } = await identityOf(db(), test.member.email ?? '');
  await db()
    .insertInto('gpu_waits')
    .values({
      team_id: teams[1],
      user_id,
      gpus: 3,
      notified_at: new Date(),
      teepod_id: host.teepod.id,
      held_until: new Date(Date.now() + 60_000),
      held_gpus: 3,
      held_open_gpus: 3,
    })
    .execute();
  const path = { id: gpus[0]!.id };
  const attach = async (name: string) => {
    const { vm_uuid } = await db()
      .selectFrom('cvms')
      .select('vm_uuid')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return test.admin.call('attachAdminGpu', { path, body: { cvm_id: vm_uuid } });
  };
  expect((await attach('crowd-0-0')).status).toBe(200);
  for (const [name, free] of [
    ['crowd-0-1', 4],
    ['crowd-1-1', 7],
  ] as const)
    expect(problemOf((await attach(name)).body).detail.message).toContain(
      `${free} of the host's 8 GPUs are free for the team of “${name}”`,
    );
  // Every free GPU is held.
  await sql`update gpu_waits set held_gpus = 7, held_open_gpus = 7`.execute(db());
  path.id = gpus[1]!.id;
  const refused = await attach('crowd-0-1');
  expect([refused.status, problemOf(refused.body).detail]).toMatchObject([
    409,
    {
      message: expect.stringMatching(/is held for a team on the waitlist until .+; 0 of the host's 8 GPUs/),
      suggestions: ['Attach it later, or reserve it for the team of “crowd-0-1” first.'],
    },
  ]);
  const reserved = await test.admin.call('reserveAdminGpu', { path, body: { team_id: teams[0] } });
  expect(reserved.status, JSON.stringify(reserved.body)).toBe(200);
  expect((await attach('crowd-0-1')).status).toBe(200);
  path.id = gpus[2]!.id;
  expect((await attach('crowd-1-1')).status).toBe(200);
});
