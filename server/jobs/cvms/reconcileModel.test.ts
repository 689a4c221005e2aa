import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { vmName } from '../../domain/cvms/vmName';
import { insertHost, type TestHost } from '../../testing/cvmFixtures';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { eventually } from '../../testing/server';
import { reconcileTeepod } from './reconcile';

/**
 * Thirty seeded sequences of faults, one per CVM of a host, through the real reconciler, operations and database. The
 * rules alone are tested with many more in domain/cvms/reconciliationModel.test.ts.
 */
const SEQUENCES = 30;
const STEPS = 16;

let team: HostedTeam;
/** A second row for the same host, from before addresses had to be unique. */
let twin: TestHost;
const subjects: Subject[] = [];

interface Subject {
  cvm: CvmRow;
  random: (below: number) => number;
  story: string[];
  /** VMs the CVM ever had, and those that were to be deleted. */
  named: Set<string>;
  released: Set<string>;
  given_up: number;
}

beforeAll(async () => {
  team = await startHostedTeam('model');
  twin = await insertHost(db(), { name: 'model-twin', url: team.fake.url });
  for (let seed = 1; seed <= SEQUENCES; seed += 1)
    subjects.push({
      cvm: (await team.running()).cvm,
      random: generator(seed),
      story: [],
      named: new Set(),
      released: new Set(),
      given_up: 0,
    });
});
afterAll(() => team.close());

const db = () => team.server.services.db;
const driver = () => team.server.services.vmm.get(team.host.teepod);

/** Returns a small seeded generator of whole numbers from 0 up to, but not including, `below`. */
function generator(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function round(): Promise<void> {
  const long_ago = new Date(Date.now() - 120_000);
  await db().updateTable('cvms').set({ updated_at: long_ago }).execute();
  await db()
    .updateTable('cvms')
    .set({ missing_since: long_ago })
    .where('missing_since', 'is not', null)
    .execute();
  const { services } = team.server;
  for (const id of [team.host.teepod.id, twin.teepod.id]) {
    const teepod = await db()
      .selectFrom('teepods')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await reconcileTeepod(services, services.jobs, teepod);
  }
}

const operationsEnd = () =>
  eventually('all operations have ended', async () => {
    const live = await db()
      .selectFrom('operations')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
    return live === undefined;
  });

const HAPPENINGS: Readonly<Record<string, (one: Subject, now: CvmRow) => unknown>> = {
  gone: (_, { host_vm_id }) => host_vm_id && team.fake.hidden.add(host_vm_id),
  back: (one) => one.named.forEach((id) => team.fake.hidden.delete(id)),
  'still running': (_, { host_vm_id }) => host_vm_id && team.fake.processes.add(host_vm_id),
  duplicate: ({ cvm }) =>
    driver().createVm({
      name: vmName(cvm),
      image: 'dstack-0.6.0',
      compose_file: '{"manifest_version":2,"name":"a","runner":"docker-compose"}',
      vcpu: 1,
      memory: 1024,
      disk_size: 10,
    }),
  'stopped on the host': (_, { host_vm_id }) =>
    host_vm_id &&
    driver()
      .stopVm(host_vm_id)
      .catch(() => undefined),
  started: ({ cvm }) => team.member.call('startCvm', { path: at(cvm) }),
  stopped: ({ cvm }) => team.member.call('stopCvm', { path: at(cvm) }),
  'given up': async (one) => {
    const { cvm } = one;
    const { status } = await team.member.call('giveUpCvm', { path: at(cvm), body: { name: cvm.name } });
    if (status === 200) one.given_up += 1;
  },
  deleted: async (one, { host_vm_id }) => {
    if (one.random(3) > 0) return;
    const { status } = await team.member.call('deleteCvm', {
      path: at(one.cvm),
      query: { permanently: true },
    });
    if (status === 204 && host_vm_id) one.released.add(host_vm_id);
  },
};
const NAMES = Object.keys(HAPPENINGS);

async function step(host: 'well' | 'restarts' | 'silent'): Promise<void> {
  for (const one of subjects) {
    const now = await team.now(one.cvm);
    if (now.host_vm_id) one.named.add(now.host_vm_id);
    if (now.status === 'deleted') continue;
    const drawn = NAMES[one.random(NAMES.length)]!;
    const name = now.status === 'lost' && one.random(4) === 0 ? 'given up' : drawn;
    one.story.push(name);
    await HAPPENINGS[name]!(one, now);
  }
  if (host === 'restarts') team.fake.restart();
  if (host === 'silent') team.fake.on('/prpc/Status', (_request, response) => response.destroy());
  await round();
  team.fake.on('/prpc/Status', () => 'pass');
  await round();
  await operationsEnd();
  for (const one of subjects) {
    const { host_vm_id } = await team.now(one.cvm);
    if (host_vm_id) one.named.add(host_vm_id);
  }
}

const bodiesOf = (method: string) =>
  team.fake.requests.flatMap((path, index) =>
    path.includes(`/prpc/${method}`) ? [team.fake.bodies[index] ?? {}] : [],
  );

it(`keeps every VM a CVM had through ${SEQUENCES} sequences of ${STEPS} faults`, async () => {
  const hostly = generator(SEQUENCES);
  for (let count = 0; count < STEPS; count += 1)
    await step((['well', 'restarts', 'silent'] as const)[hostly(3)]!);

  const removed = new Set(bodiesOf('RemoveVm').map(({ id }) => String(id)));
  for (const { cvm, named, released, story, given_up } of subjects) {
    const about = `${cvm.name}: ${story.join(', ')}`;
    const lostForGood = [...named].filter((id) => removed.has(id) && !released.has(id));
    expect(lostForGood, about).toEqual([]);
    // The first one, those the test created, and one for each time it was given up.
    const duplicates = story.filter((name) => name === 'duplicate').length;
    const created = bodiesOf('CreateVm').filter(({ name }) => name === vmName(cvm)).length;
    expect(created, about).toBeLessThanOrEqual(1 + duplicates + given_up);
  }
  expect(new Set(subjects.flatMap(({ story }) => story))).toEqual(new Set(NAMES));
  const lost = await db().selectFrom('events').select('id').where('kind', '=', 'cvm.lost').execute();
  expect(lost.length).toBeGreaterThan(0);
  expect(subjects.some(({ given_up }) => given_up > 0)).toBe(true);

  // Everything is listed again and no user acts: all CVMs that have their VM are found.
  team.fake.hidden.clear();
  team.fake.processes.clear();
  await round();
  await operationsEnd();
  for (const { cvm, story } of subjects)
    expect((await team.now(cvm)).status, `${cvm.name}: ${story.join(', ')}`).not.toBe('lost');
  // A minute on an idle machine; the limit allows for a busy one.
}, 1_200_000);
