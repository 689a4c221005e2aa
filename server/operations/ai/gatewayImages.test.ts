import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { CvmOsImage, Problem } from '../../../generated/api/types.gen';
import { COMPOSE, insertRevision } from '../../testing/cvmFixtures';
import { SettingsWorld } from '../cvms/settings/testing/settings';

/* A host's operator can log in to a development image, so AI gateways never boot one. */

const world = new SettingsWorld();
const PRODUCTION = 'dstack-0.6.1';
const DEVELOPMENT = 'dstack-dev-0.6.1';

beforeAll(async () => {
  const { db } = world;
  for (const [name, is_dev] of [
    [PRODUCTION, false],
    [DEVELOPMENT, true],
  ] as const) {
    const { id } = await db
      .insertInto('os_images')
      .values({ name, slug: `${name}-0badcafe`, version: '0.6.1', is_dev })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('teepod_os_images')
      .values({ teepod_id: world.host.teepod.id, os_image_id: id })
      .execute();
  }
});
let count = 0;
beforeEach(async () => {
  await world.db
    .insertInto('ai_gateways')
    .values({
      name: `gateway-${(count += 1)}`,
      url: 'https://ai.example.com',
      image: `registry.example.com/private-ai-gateway@sha256:${'a1'.repeat(32)}`,
      deployed_cvm_id: world.cvm.id,
    })
    .execute();
});

const refusal = ({ status, body }: { status: number; body: unknown }) => {
  const { error_code, message, details, suggestions } = body as Problem;
  return { status, error_code, message, field: details?.[0]?.field, suggestions };
};
const refused = (field: string | undefined) => ({
  status: 400,
  error_code: 'ERR-02-009',
  field,
  message: expect.stringContaining(`“${DEVELOPMENT}” is a development image.`),
  suggestions: ['Choose a production image.'],
});
/** Adds a revision that boots the development image, from before the app was a gateway. */
async function addRevision() {
  const { app } = world.app;
  const compose = COMPOSE.replace('nginx', 'caddy');
  const revision = await insertRevision(world.db, { app, number: 2, name: app.name, compose });
  await world.db
    .updateTable('revisions')
    .set({ os_image: DEVELOPMENT })
    .where('id', '=', revision.id)
    .execute();
  return revision;
}

it('refuses a development image, by name or slug, in every CVM update', async () => {
  for (const image of [DEVELOPMENT, `${DEVELOPMENT}-0badcafe`]) {
    expect(refusal(await world.call('updateCvmOsImage', { os_image_name: image }))).toEqual(
      refused('os_image_name'),
    );
    expect(refusal(await world.call('patchCvm', { image }))).toEqual(refused('image'));
    expect(refusal(await world.call('patchCvm', { os_image_name: image }))).toEqual(refused('os_image_name'));
  }
  expect(await world.live()).toBeUndefined();
  expect(await world.call('updateCvmOsImage', { os_image_name: PRODUCTION })).toMatchObject({ status: 202 });
});

it('refuses it in rollouts of the app, and when an earlier revision is restored', async () => {
  const { app_id } = world.app.app;
  const { public_id } = await addRevision();
  // The first CVM is gone; the gateway's traffic goes to this one.
  await world.addCvm({ name: `replica-${count}` });
  await world.db
    .updateTable('cvms')
    .set({ deleted_at: new Date(), status: 'deleted' })
    .where('id', '=', world.cvm.id)
    .execute();
  const rollout = await world.member.call('createRollout', {
    path: { app_id },
    body: { image: DEVELOPMENT },
  });
  expect(refusal(rollout)).toEqual(refused('image'));
  const restored = await world.member.call('redeployAppRevision', {
    path: { app_id, revision_id: public_id },
    body: {},
  });
  expect(refusal(restored)).toEqual(refused('revision_id'));
});

it('refuses it for a CVM that is rolled back, and for replicas', async () => {
  const { app_id } = world.app.app;
  const { public_id, compose_hash } = await addRevision();
  const restored = await world.member.call('redeployCvmRevision', {
    path: { cvm_id: world.cvm.public_id, revision_id: public_id },
    body: {},
  });
  expect(refusal(restored)).toEqual(refused('revision_id'));
  const added = await world.member.call('createAppInstance', { path: { app_id }, body: { compose_hash } });
  expect(refusal(added)).toEqual(refused('compose_hash'));
  // Switched to the image before this was refused.
  await world.db.updateTable('cvms').set({ os_image: DEVELOPMENT }).where('id', '=', world.cvm.id).execute();
  expect(refusal(await world.call('createCvmReplica', {}))).toEqual(refused(undefined));
});

it('offers no development image', async () => {
  const listed = async () =>
    ((await world.call('listCvmOsImages')).body as CvmOsImage[]).map(({ dev }) => dev?.name);
  expect(await listed()).not.toContain(DEVELOPMENT);
  await world.db.deleteFrom('ai_gateways').where('deployed_cvm_id', '=', world.cvm.id).execute();
  expect(await listed()).toContain(DEVELOPMENT);
  // Other apps may boot one.
  expect(await world.call('updateCvmOsImage', { os_image_name: DEVELOPMENT })).toMatchObject({ status: 202 });
});
