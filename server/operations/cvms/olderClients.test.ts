import { describe, expect, it } from 'vitest';
import { insertOperation } from '../../testing/cvmFixtures';
import { SettingsWorld } from './settings/testing/settings';

const world = new SettingsWorld();

describe('requests from older clients', () => {
  it('check whether a compose hash is allowed', async () => {
    const { compose_hash } = world.app.revision;
    expect((await world.call('checkCvmIsAllowed', {})).body).toMatchObject({
      cvm_id: world.cvm.public_id,
      compose_hash,
      is_allowed: true,
    });
    const unknown = await world.call('checkCvmIsAllowed', { compose_hash: `0x${'0'.repeat(64)}` });
    expect(unknown.body).toMatchObject({
      is_allowed: false,
      error: expect.any(String),
      compose_hash: '0'.repeat(64),
    });
    const path = { app_id: world.app.app.app_id };
    expect(
      (await world.member.call('checkAppIsAllowed', { path, body: { compose_hash } })).body,
    ).toMatchObject({
      is_allowed: true,
    });
    expect((await world.member.call('checkAppCvmsIsAllowed', { path })).body).toMatchObject({
      is_onchain: false,
      total: 1,
      allowed_count: 1,
      results: [{ cvm_id: world.cvm.public_id, is_allowed: true }],
    });
    expect((await world.member.call('getAppDeviceAllowlist', { path })).body).toMatchObject({
      is_onchain_kms: false,
      devices: [],
    });
    for (const id of ['checkAppIsAllowed', 'checkAppCvmsIsAllowed', 'getAppDeviceAllowlist'] as const)
      expect(
        (
          await world.stranger.call(id, {
            path,
            body: id === 'getAppDeviceAllowlist' ? undefined : { compose_hash },
          })
        ).status,
      ).toBe(404);
  });

  it('reject commits without a pending on-chain approval', async () => {
    expect(await world.call('commitCvmUpdate', { token: 'x' }, world.server.anonymous)).toMatchObject({
      status: 466,
    });
    expect(await world.call('commitCvmReplica', { token: 'x' })).toMatchObject({
      status: 466,
      body: { code: 'ERR-01-006' },
    });
  });

  it('return the latest operation', async () => {
    expect((await world.call('getCvmOperationStatus')).body).toMatchObject({
      in_progress: false,
      operation: null,
    });
    const busy = await insertOperation(world.db, world.cvm);
    expect((await world.call('getCvmOperationStatus')).body).toMatchObject({
      vm_uuid: world.cvm.vm_uuid,
      in_progress: true,
      operation: { correlation_id: busy.correlation_id, step: 'boot' },
    });
  });

  it('return the next app IDs in allocation order', async () => {
    const { body } = await world.member.call('getNextAppIds', { query: { counts: 3 } });
    const { app_ids } = body as { app_ids: { app_id: string; nonce: number }[] };
    expect(app_ids.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
    expect(new Set(app_ids.map(({ app_id }) => app_id)).size).toBe(3);
    expect((await world.member.call('getNextAppIds', { query: { counts: 21 } })).status).toBe(422);
    expect(
      ((await world.stranger.call('getNextAppIds')).body as typeof body & { app_ids: unknown[] }).app_ids[0],
    ).not.toEqual(app_ids[0]);
  });

  it('return app filter options that each match an app', async () => {
    const { body } = await world.member.call('getAppFilterOptions');
    expect(body).toMatchObject({ nodes: ['eu-1'], regions: ['eu-west'], instance_types: ['tdx.small'] });
    const options = body as Record<string, string[]>;
    const filters = {
      status: options.statuses,
      base_image: options.image_versions,
      instance_type: options.instance_types,
      kms_slug: options.kms_slugs,
      kms_type: options.kms_types,
      region: options.regions,
      node: options.nodes,
    };
    for (const [filter, values] of Object.entries(filters))
      for (const value of values ?? []) {
        const { body: page } = await world.member.call('listApps', { query: { [filter]: value } });
        expect((page as { total: number }).total, `${filter}=${value}`).toBeGreaterThan(0);
      }
    expect((await world.stranger.call('getAppFilterOptions')).body).toMatchObject({
      statuses: [],
      nodes: [],
    });
  });

  it('refresh instance IDs, with an error for an unreachable host', async () => {
    expect((await world.call('refreshCvmInstanceId', {})).body).toMatchObject({
      cvm_id: world.cvm.public_id,
      identifier: world.cvm.vm_uuid,
      status: 'error',
      source: 'none',
      reason: expect.stringContaining('eu-1'),
    });
    const { body } = await world.member.call('refreshCvmInstanceIds', {
      body: { cvm_ids: [world.cvm.vm_uuid, 'no-such-cvm'], dry_run: true },
    });
    expect(body).toMatchObject({ total: 1, scanned: 1, errors: 1 });
    expect(
      (await world.stranger.call('refreshCvmInstanceIds', { body: { cvm_ids: [world.cvm.vm_uuid] } })).body,
    ).toMatchObject({
      total: 0,
      items: [],
    });
  });
});

it('list CVMs by family and instance type', async () => {
  const gpu = await world.addCvm({ gpus: 1, instance_type: 'h200.small' });
  const custom = await world.addCvm({ instance_type: null });
  const ids = async (query: Record<string, unknown>) => {
    const { body } = await world.member.call('listCvmsPaginated', { query: { page_size: 100, ...query } });
    const ours = [world.cvm, gpu, custom].map(({ public_id }) => public_id);
    return ours.map((id) => body.items.some((cvm) => cvm.id === id));
  };
  expect(await ids({ family: 'all' })).toEqual([true, true, true]);
  expect(await ids({ family: 'gpu' })).toEqual([false, true, false]);
  expect(await ids({ family: 'cpu' })).toEqual([true, false, true]);
  expect(await ids({ instance_types: 'tdx.small' })).toEqual([true, false, false]);
  expect(await ids({ instance_types: ['tdx.small', 'h200.small'] })).toEqual([true, true, false]);
  expect(await ids({ instance_types: 'tdx.small', family: 'gpu' })).toEqual([false, false, false]);
  const unknown = await world.member.call('listCvmsPaginated', { query: { family: 'tpu' } });
  expect(unknown.status).toBe(422);
});

it('stop several CVMs independently', async () => {
  const other = await world.addCvm();
  await insertOperation(world.db, other);
  await world.db.updateTable('cvms').set({ status: 'restarting' }).where('id', '=', other.id).execute();
  const { body } = await world.member.call('batchStopCvms', {
    body: { cvm_ids: [world.cvm.vm_uuid, other.vm_uuid, 'nobody-knows', world.cvm.vm_uuid] },
  });
  expect(body).toMatchObject({
    accepted: 1,
    refused: 2,
    results: [
      { cvm_id: world.cvm.vm_uuid, correlation_id: expect.any(String), error_code: null },
      { cvm_id: other.vm_uuid, correlation_id: null, error_code: 'ERR-00-016' },
      { cvm_id: 'nobody-knows', error_code: 'ERR-03-001' },
    ],
  });
  expect((await world.now()).status).toBe('stopping');
  expect((await world.member.call('batchStopCvms', { body: { cvm_ids: [] } })).status).toBe(422);
});
