import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startFleet, type Fleet } from '../../operations/hosts/testing/fleet';
import { eventually } from '../../testing/server';
import { runningCvm } from '../../testing/hostedCvm';
import { everyHost } from '../hosts/testing/everyHost';
import { reconciler } from './reconcile';

/** Hosts that answer late, never, or only some requests. */
let fleet: Fleet;
let run: () => Promise<void>;

beforeAll(async () => {
  fleet = await startFleet({ TEEHOUSE_ROLE: 'web' });
  const { services } = fleet.server;
  const work = { ...services, hosts: everyHost, cutShort: () => undefined };
  const rules = { limit_ms: 60_000, patience_ms: 200, billingEnforced: false };
  run = reconciler(services.vmm, services.jobs, work, rules);
});
afterEach(() => {
  for (const { fake } of fleet.hosts)
    for (const method of ['Status', 'ListImages']) fake.on(`/prpc/${method}`, () => 'pass');
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const slow = () => fleet.hosts[0]!;
const quick = () => fleet.hosts[1]!;
const rounds = ({ fake }: Fleet['hosts'][number]) =>
  fake.requests.filter((path) => path.startsWith('/prpc/Status')).length;

it('a host that delays its round delays no other host, and is queried again once the round ends', async () => {
  let release = (): void => undefined;
  slow().fake.on('/prpc/Status', (_request, response) => {
    release = () => response.writeHead(200).end('{"vms":[],"total":0,"port_mapping_enabled":true}');
  });
  const before = { slow: rounds(slow()), quick: rounds(quick()) };
  await eventually('the other host had three rounds', async () => {
    await run();
    return rounds(quick()) >= before.quick + 3;
  });
  expect(rounds(slow())).toBe(before.slow + 1);
  slow().fake.on('/prpc/Status', () => 'pass');
  release();
  await eventually('the slow host is asked again', async () => {
    await run();
    return rounds(slow()) > before.slow + 1;
  });
});

it('a host that cannot list images is still compared with its CVMs, and its images are read once it can', async () => {
  const { fake, host } = quick();
  const { teepod } = host;
  const { cvm } = await runningCvm(fleet.server.services, {
    host,
    ...fleet.who,
    name: 'half-answered',
  });
  const past = new Date(Date.now() - 60_000);
  await db()
    .updateTable('cvms')
    .set({ status: 'error', updated_at: past })
    .where('id', '=', cvm.id)
    .execute();
  await db().deleteFrom('teepod_os_images').where('teepod_id', '=', teepod.id).execute();
  await db()
    .updateTable('teepods')
    .set({ reachable: false, host_vcpu: null })
    .where('id', '=', teepod.id)
    .execute();
  fake.on('/prpc/ListImages', (_request, response) =>
    response.writeHead(400).end('{"error":"Failed to read image directory"}'),
  );
  const said = async () => ({
    cvm: (await db().selectFrom('cvms').select('status').where('id', '=', cvm.id).executeTakeFirst())?.status,
    host_vcpu: (
      await db().selectFrom('teepods').select('host_vcpu').where('id', '=', teepod.id).executeTakeFirst()
    )?.host_vcpu,
    images: (
      await db()
        .selectFrom('teepod_os_images')
        .select('os_image_id')
        .where('teepod_id', '=', teepod.id)
        .execute()
    ).length,
  });
  await eventually('its CVM has recovered', async () => {
    await run();
    return (await said()).cvm === 'running';
  });
  expect(await said()).toEqual({
    cvm: 'running',
    host_vcpu: expect.any(Number),
    images: 0,
  });
  fake.on('/prpc/ListImages', () => 'pass');
  await eventually('its images are known', async () => {
    await run();
    return (await said()).images > 0;
  });
});
