import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminHostImages } from '../../../../generated/api/types.gen';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { runningCvm } from '../../../testing/hostedCvm';
import { problemOf } from '../../core/admin/testing/admin';
import { eventually } from '../../../testing/server';
import { startFleet, type Fleet } from '../testing/fleet';

let fleet: Fleet;
let withRegistry: FakeVmm;

beforeAll(async () => {
  fleet = await startFleet();
  const offered = (tag: string) => ({
    tag,
    local: false,
    pulling: false,
    error: '',
  });
  withRegistry = await startFakeVmm({
    images: ['dstack-0.5.5', 'dstack-0.6.0'],
    registry: [offered('0.6.1'), { ...offered('0.6.2'), error: 'manifest not found' }],
  });
  await fleet.server.services.db
    .updateTable('teepods')
    .set({ url: withRegistry.url })
    .where('id', '=', pod(1).id)
    .execute();
});

afterAll(async () => {
  await fleet?.close();
  await withRegistry?.close();
});

const pod = (i: 0 | 1) => fleet.hosts[i]!.host.teepod;
const images = async (i: 0 | 1) =>
  (await fleet.admin.call('getTeepodHostImages', { path: { id: pod(i).id } })).body as AdminHostImages;
const pull = (i: 0 | 1, tag: string) =>
  fleet.admin.call('pullTeepodImage', {
    path: { id: pod(i).id },
    body: { tag },
  });
const remove = (i: 0 | 1, name: string) =>
  fleet.admin.call('deleteTeepodImage', {
    path: { id: pod(i).id },
    body: { name },
  });
const actions = async (i: 0 | 1) => (await fleet.audits('teepod', pod(i).id)).map(({ action }) => action);

it('lists the images on a host and those in its registry', async () => {
  expect(await images(1)).toMatchObject({
    answered: true,
    images: [{ name: 'dstack-0.5.5' }, { name: 'dstack-0.6.0' }],
    registry_images: [
      { tag: '0.6.1', pulling: false, error: null },
      { tag: '0.6.2', error: 'manifest not found' },
    ],
    registry_error: null,
  });
});

it('pulls an image and shows that the download is in progress', async () => {
  const reply = await pull(1, '0.6.1');
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    registry_images: [{ tag: '0.6.1', pulling: true }, { tag: '0.6.2' }],
  });
  expect(await actions(1)).toContain('teepod.pull_image');
});

/** Makes a host list these images, as if they were copied onto it. */
const list = (fake: FakeVmm, names: string[]) =>
  fake.on('/prpc/ListImages', (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        images: names.map((name) => ({ name, description: '{}', version: '0.6.1', is_dev: false })),
      }),
    ),
  );
const offeredBy = async (i: 0 | 1) => {
  const { body } = await fleet.admin.call('listTeepodOsImages', { path: { id: pod(i).id } });
  return (body as { name: string }[]).map(({ name }) => name);
};
const factsDueAt = (i: 0 | 1, facts_due_at: Date) =>
  fleet.server.services.db.updateTable('teepods').set({ facts_due_at }).where('id', '=', pod(i).id).execute();

it('offers the image once it has arrived', async () => {
  list(withRegistry, ['dstack-0.5.5', 'dstack-0.6.0', 'dstack-0.6.1']);
  await eventually('the image is offered', async () => (await offeredBy(1)).includes('dstack-0.6.1'));
  withRegistry.on('/prpc/ListImages', () => 'pass');
  await eventually('it is gone again', async () => !(await offeredBy(1)).includes('dstack-0.6.1'));
});

it('learns which images were copied onto a host while it was online, and its gateway', async () => {
  const { fake } = fleet.hosts[0]!;
  list(fake, ['dstack-0.6.0', 'dstack-copied']);
  await factsDueAt(0, new Date());
  await eventually('the image is offered', async () => (await offeredBy(0)).includes('dstack-copied'));
  const row = () =>
    fleet.server.services.db
      .selectFrom('teepods')
      .select(['gateway_base_domain', 'facts_due_at'])
      .where('id', '=', pod(0).id)
      .executeTakeFirstOrThrow();
  const { gateway_base_domain, facts_due_at } = await eventually(
    'the next reading is scheduled',
    async () => {
      const found = await row();
      return found.facts_due_at > new Date() ? found : null;
    },
  );
  expect(gateway_base_domain).toBe('gw.example.test');
  expect(facts_due_at.getTime() - Date.now()).toBeLessThan(6.5 * 60_000);
  fake.on('/prpc/ListImages', () => 'pass');
  await factsDueAt(0, new Date());
  await eventually('the image is gone', async () => !(await offeredBy(0)).includes('dstack-copied'));
});

it("returns the reason a host without a registry can't pull", async () => {
  const reply = await pull(0, '0.6.1');
  expect(reply.status).toBe(502);
  expect(problemOf(reply.body).detail.message).toContain('image registry is not configured');
  expect(await actions(0)).toContain('teepod.pull_image_request');
  expect(await actions(0)).not.toContain('teepod.pull_image');
});

it('reports a host too old to pull and delete images', async () => {
  const { fake } = fleet.hosts[0]!;
  for (const method of ['ListRegistryImages', 'PullRegistryImage', 'DeleteImage'])
    fake.on(`/prpc/${method}`, (_request, response) =>
      response.writeHead(400).end(JSON.stringify({ error: `Service not found: ${method}` })),
    );
  const sentence = "This host can't pull or delete images: it needs dstack-vmm 0.5.9 or newer.";
  expect(await images(0)).toMatchObject({
    answered: true,
    images: [{ name: 'dstack-0.6.0' }],
    registry_error: sentence,
  });
  for (const reply of [await pull(0, '0.6.1'), await remove(0, 'dstack-0.6.0')]) {
    expect(reply.status).toBe(502);
    expect(problemOf(reply.body).detail.message).toBe(sentence);
  }
});

it('records the request before the host is called', async () => {
  let before: string[] = [];
  withRegistry.on('/prpc/DeleteImage', async (_request, response) => {
    before = await actions(1);
    response.writeHead(502).end();
  });
  expect((await remove(1, 'dstack-0.5.5')).status).toBeGreaterThanOrEqual(500);
  expect(before).toContain('teepod.delete_image_request');
  expect(await actions(1)).not.toContain('teepod.delete_image');
  withRegistry.on('/prpc/DeleteImage', () => 'pass');
});

it('deletes an image that nothing uses', async () => {
  const reply = await remove(1, 'dstack-0.5.5');
  expect(reply.body).toMatchObject({ images: [{ name: 'dstack-0.6.0' }] });
  expect(await actions(1)).toContain('teepod.delete_image');
  expect((await remove(1, 'dstack-0.5.5')).status).toBe(502);
});

it('keeps an image that CVMs need, even one in the recycle bin', async () => {
  const { services } = fleet.server;
  const { cvm } = await runningCvm(services, {
    host: fleet.hosts[0]!.host,
    ...fleet.who,
    name: 'needs-it',
  });
  expect(await images(0)).toMatchObject({
    images: [{ name: 'dstack-0.6.0', cvm_count: 1 }],
  });
  const now = new Date();
  await services.db
    .updateTable('cvms')
    .set({ deleted_at: now, purge_at: new Date(now.getTime() + 86_400_000) })
    .where('id', '=', cvm.id)
    .execute();
  const reply = await remove(0, 'dstack-0.6.0');
  expect(reply.status).toBe(409);
  expect(problemOf(reply.body).detail.message).toBe(`dstack-0.6.0 is used by 1 CVM on ${pod(0).name}.`);
  expect((await images(0)).images).toHaveLength(1);
});

it('refuses members, and reports an unresponsive host', async () => {
  const path = { id: pod(1).id };
  for (const [operation, body] of [
    ['pullTeepodImage', { tag: '0.6.1' }],
    ['deleteTeepodImage', { name: 'dstack-0.6.0' }],
  ] as const)
    expect((await fleet.member.call(operation, { path, body })).status).toBe(403);
  expect((await fleet.member.call('getTeepodHostImages', { path })).status).toBe(403);
  await fleet.server.services.db
    .updateTable('teepods')
    .set({ url: 'http://127.0.0.1:9' })
    .where('id', '=', path.id)
    .execute();
  expect(await images(1)).toMatchObject({
    answered: false,
    error: expect.any(String),
    images: [],
  });
  expect((await pull(1, '0.6.1')).status).toBe(502);
});
