import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertRevision } from '../../../testing/cvmFixtures';
import { SettingsWorld } from './testing/settings';

/** Measured settings: changing one is an update. */
const world = new SettingsWorld();

describe('OS images', () => {
  beforeAll(async () => {
    const { db } = world;
    for (const [name, version, is_dev] of [
      ['dstack-0.6.1', '0.6.1', false],
      ['dstack-dev-0.6.1', '0.6.1', true],
      ['dstack-0.5.9', '0.5.9', false],
      ['dstack-nvidia-0.6.0', '0.6.0', false],
      ['dstack-nvidia-0.6.1', '0.6.1', false],
    ] as const)
      await db
        .insertInto('os_images')
        .values({
          name,
          slug: `${name}-0badcafe`,
          version,
          is_dev,
          requires_gpu: name.includes('nvidia'),
          os_image_hash: 'ef'.repeat(32),
        })
        .execute();
    const images = await db.selectFrom('os_images').select('id').execute();
    await db
      .insertInto('teepod_os_images')
      .values(images.map(({ id }) => ({ teepod_id: world.host.teepod.id, os_image_id: id })))
      .execute();
  });

  it('are listed by version, newest first', async () => {
    const { body } = await world.call('listCvmOsImages');
    expect(body).toEqual([
      {
        version: [0, 6, 1],
        prod: { name: 'dstack-0.6.1', os_image_hash: 'ef'.repeat(32), is_current: false },
        dev: { name: 'dstack-dev-0.6.1', os_image_hash: 'ef'.repeat(32), is_current: false },
      },
      {
        version: [0, 6, 0],
        prod: { name: 'dstack-0.6.0', os_image_hash: 'cd'.repeat(32), is_current: true },
        dev: null,
      },
      {
        version: [0, 5, 9],
        prod: { name: 'dstack-0.5.9', os_image_hash: 'ef'.repeat(32), is_current: false },
        dev: null,
      },
    ]);
  });

  it('are listed unless they are retired and not the CVM’s own', async () => {
    const set = (name: string, state: 'active' | 'retired') =>
      world.db.updateTable('os_images').set({ state }).where('name', '=', name).execute();
    for (const name of ['dstack-0.6.0', 'dstack-0.5.9']) await set(name, 'retired');
    const { body } = await world.call('listCvmOsImages');
    expect(body).toMatchObject([
      { prod: { name: 'dstack-0.6.1' } },
      { prod: { name: 'dstack-0.6.0', is_current: true } },
    ]);
    for (const name of ['dstack-0.6.0', 'dstack-0.5.9']) await set(name, 'active');
  });

  it('are those with the GPU driver for a CVM that has GPUs', async () => {
    await world.db
      .updateTable('cvms')
      .set({ gpus: 1, os_image: 'dstack-nvidia-0.6.0' })
      .where('id', '=', world.cvm.id)
      .execute();
    const { body } = await world.call('listCvmOsImages');
    expect(body).toMatchObject([
      { prod: { name: 'dstack-nvidia-0.6.1', is_current: false }, dev: null },
      { prod: { name: 'dstack-nvidia-0.6.0', is_current: true }, dev: null },
    ]);
  });

  it.each(['dstack-0.6.1', 'dstack-0.6.1-0badcafe'])(
    'can be selected by name or slug: %s',
    async (os_image_name) => {
      expect((await world.call('updateCvmOsImage', { os_image_name })).status).toBe(202);
      expect(await world.live()).toMatchObject({ type: 'update', payload: { os_image: 'dstack-0.6.1' } });
    },
  );

  it('that need a GPU are rejected for a CVM without one, and accepted with one', async () => {
    const os_image_name = 'dstack-nvidia-0.6.1';
    for (const [operation, body, field] of [
      ['updateCvmOsImage', { os_image_name }, 'os_image_name'],
      ['patchCvm', { image: os_image_name }, 'image'],
    ] as const)
      expect(await world.call(operation, body)).toMatchObject({
        status: 400,
        body: { code: 'ERR-02-010', details: [{ field, message: expect.stringContaining('GPU') }] },
      });
    expect(await world.live()).toBeUndefined();
    await world.db.updateTable('cvms').set({ gpus: 1 }).where('id', '=', world.cvm.id).execute();
    expect((await world.call('updateCvmOsImage', { os_image_name })).status).toBe(202);
  });

  it('missing on the host are rejected', async () => {
    expect(await world.call('updateCvmOsImage', { os_image_name: 'dstack-9.9.9' })).toMatchObject({
      status: 400,
      body: { code: 'ERR-02-010' },
    });
  });
});

it('stores the pre-launch script byte for byte', async () => {
  expect(await world.call('updatePreLaunchScript', 'x'.repeat(204_801))).toMatchObject({
    status: 400,
    body: { code: 'ERR-01-003' },
  });
  const script = '#!/bin/sh\n\techo “ready”\r\n';
  expect(await world.call('updatePreLaunchScript', script)).toMatchObject({
    status: 202,
    body: { status: 'in_progress' },
  });
  const revision_id = (await world.live())?.payload.revision_id ?? 0;
  const made = await world.db
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', revision_id)
    .executeTakeFirstOrThrow();
  expect(made.pre_launch_script).toBe(script);
});

it('clears the pre-launch script with an empty text', async () => {
  await world.db
    .updateTable('revisions')
    .set({
      app_compose: sql`(app_compose::jsonb || '{"pre_launch_script":"echo"}')::text`,
      compose_hash: 'ab'.repeat(32),
    })
    .where('id', '=', world.cvm.revision_id)
    .execute();
  expect(await world.call('updatePreLaunchScript', '')).toMatchObject({ status: 202 });
  const revision_id = (await world.live())?.payload.revision_id ?? 0;
  const { pre_launch_script, app_compose } = await world.db
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', revision_id)
    .executeTakeFirstOrThrow();
  expect([pre_launch_script, app_compose.includes('echo')]).toEqual([null, false]);
});

it('rejects an empty compose file as invalid, and a missing one', async () => {
  expect(await world.call('updateDockerCompose', '')).toMatchObject({
    status: 400,
    body: { code: 'ERR-01-003' },
  });
  expect(await world.call('updateDockerCompose')).toMatchObject({ status: 415 });
});

it.each(['public_logs', 'public_sysinfo', 'public_tcbinfo'] as const)('changes %s alone', async (flag) => {
  const { cvm } = world;
  expect((await world.call('updateCvmVisibility', { [flag]: cvm[flag] })).status).toBe(200);
  expect(await world.live()).toBeUndefined();
  expect((await world.call('updateCvmVisibility', { [flag]: !cvm[flag] })).status).toBe(200);
  const { public_logs, public_sysinfo, public_tcbinfo } = cvm;
  expect((await world.live())?.payload).toMatchObject({
    public_logs,
    public_sysinfo,
    public_tcbinfo,
    [flag]: !cvm[flag],
  });
});

it('treats null in optional fields as absent', async () => {
  const body = { encrypted_env: '00'.repeat(61), env_keys: null, compose_hash: null, transaction_hash: null };
  expect(await world.call('updateCvmEnvs', body)).toMatchObject({
    status: 202,
    body: { allowed_envs_changed: false },
  });
  expect(await world.call('updateCvmEnvs', { ...body, encrypted_env: null })).toMatchObject({
    status: 422,
    body: { details: [{ field: 'encrypted_env' }] },
  });
});

describe('a prepared compose file', () => {
  const next = 'services:\n  web:\n    image: nginx:1.29\n';

  it('is committed once by its hash', async () => {
    const { body } = await world.call('provisionCvmComposeFile', {
      docker_compose_file: next,
      manifest_version: 2,
      name: 'x',
    });
    const { compose_hash } = body as { compose_hash: string };
    expect(body).toMatchObject({
      app_id: world.app.app.app_id,
      compose_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      kms_info: { slug: 'kms-eu-1' },
      compose_hash_registered: true,
    });
    expect(await world.live()).toBeUndefined();
    expect((await world.call('commitCvmComposeFile', { compose_hash: `0x${compose_hash}` })).status).toBe(
      202,
    );
    const { payload, id } = (await world.live()) ?? { payload: {}, id: 0 };
    const made = await world.db
      .selectFrom('revisions')
      .selectAll()
      .where('id', '=', payload.revision_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(made).toMatchObject({ compose_hash, docker_compose_file: next });
    const { db } = world;
    await db.updateTable('operations').set({ state: 'succeeded' }).where('id', '=', id).execute();
    await db.updateTable('cvms').set({ status: 'running' }).where('id', '=', world.cvm.id).execute();
    expect(await world.call('commitCvmComposeFile', { compose_hash })).toMatchObject({
      status: 466,
      body: { code: 'ERR-01-006' },
    });
  });

  it('is deployed as hashed: env_keys that it does not allow are rejected', async () => {
    const { body } = await world.call('provisionCvmComposeFile', {
      docker_compose_file: next,
      allowed_envs: ['A', 'B'],
    });
    const { compose_hash } = body as { compose_hash: string };
    expect(await world.call('commitCvmComposeFile', { compose_hash, env_keys: ['A', 'C'] })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'env_keys', value: 'C' }] },
    });
    expect(await world.live()).toBeUndefined();
    expect((await world.call('commitCvmComposeFile', { compose_hash, env_keys: ['B'] })).status).toBe(202);
    expect(await world.nextRevision()).toMatchObject({ compose_hash, allowed_envs: ['A', 'B'] });
  });

  it('is void after another revision was deployed', async () => {
    const { body } = await world.call('provisionCvmComposeFile', { docker_compose_file: next });
    const { db } = world;
    const newer = await insertRevision(db, {
      ...world.app,
      number: 2,
      name: world.app.app.name,
      pre_launch_script: 'echo newer',
    });
    await db.updateTable('cvms').set({ revision_id: newer.id }).where('id', '=', world.cvm.id).execute();
    expect((await world.call('commitCvmComposeFile', body)).status).toBe(466);
    expect(await world.live()).toBeUndefined();
  });

  it.each([
    ['another runner', { runner: 'bash' }, 'ERR-02-009'],
    ['other keys', { kms_enabled: false }, 'ERR-02-009'],
    ['another file system', { storage_fs: 'ext4' }, 'ERR-02-009'],
    ['an empty file', { docker_compose_file: ' ' }, 'ERR-01-002'],
    ['a broken file', { docker_compose_file: 'services: [' }, 'ERR-01-003'],
  ])('is rejected with %s', async (_, body, code) => {
    expect(await world.call('provisionCvmComposeFile', body)).toMatchObject({ body: { code } });
  });
});

it('lists a secrets-only change, with its reason, in events and under the unchanged revision', async () => {
  const encrypted_env = 'ab'.repeat(80);
  expect((await world.call('updateCvmEnvs', { encrypted_env, reason: 'Rotated the key' })).status).toBe(202);
  const revisions = async () =>
    (await world.member.call('listAppRevisions', { path: { app_id: world.app.app.app_id } })).body.revisions;
  expect(await revisions()).toMatchObject([{ secret_changes: [] }]);
  const { correlation_id } = (await world.live())!;
  await world.db
    .updateTable('operations')
    .set({ state: 'succeeded', finished_at: new Date('2026-11-23T10:00:00Z') })
    .where('correlation_id', '=', correlation_id)
    .execute();
  expect(await revisions()).toMatchObject([
    {
      secret_changes: [
        {
          changed_at: '2026-11-23T10:00:00.000Z',
          correlation_id,
          reason: 'Rotated the key',
          triggered_by: { username: expect.any(String) },
        },
      ],
    },
  ]);
  const { body } = await world.member.call('listEvents', { query: { cvm: world.cvm.public_id } });
  expect(body.data[0]).toMatchObject({ kind: 'update.requested', data: { reason: 'Rotated the key' } });
});
