import { describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../../../generated/api/operations.gen';
import { identityOf, insertOperation } from '../../../testing/cvmFixtures';
import { PASSWORD } from '../../../testing/server';
import { SettingsWorld } from './testing/settings';

/** CVM settings without a worker: what is accepted, refused and written. */
const world = new SettingsWorld();

const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A valid request for each operation on one CVM. */
const REQUESTS: Partial<Record<OperationId, unknown>> = {
  renameCvm: { name: 'another-name' },
  setCvmListed: { listed: true },
  protectCvm: undefined,
  unprotectCvm: undefined,
  scheduleCvmDelete: { scheduled_delete_at: later(2) },
  scheduleCvmStop: { scheduled_stop_at: later(2) },
  updateCvmVisibility: { public_logs: false, public_sysinfo: false },
  updateCvmOsImage: { os_image_name: 'dstack-0.6.0' },
  listCvmOsImages: undefined,
  updatePreLaunchScript: '#!/bin/sh\n',
  provisionCvmComposeFile: {},
  commitCvmComposeFile: { compose_hash: 'aa' },
  refreshCvmInstanceId: {},
  checkCvmIsAllowed: {},
  commitCvmReplica: {},
  getCvmOperationStatus: undefined,
};
const ids = Object.keys(REQUESTS) as OperationId[];

describe('every setting', () => {
  it.each(ids)("%s rejects another team's CVM and ambiguous names", async (id) => {
    expect(await world.call(id, REQUESTS[id], world.stranger)).toMatchObject({
      status: 404,
      body: { code: 'ERR-03-001' },
    });
    await world.addCvm();
    const several = await world.member.call(id, {
      path: { cvm_id: world.app.app.app_id },
      body: REQUESTS[id],
    });
    expect(several).toMatchObject({ status: 400, body: { code: 'ERR-03-010' } });
  });

  it.each(
    ids.filter(
      (id) => operations[id].path.endsWith('os-image') || /Visibility|Script|commitCvmCompose/.test(id),
    ),
  )('%s is rejected during an operation and in a state that does not allow it', async (id) => {
    const busy = await insertOperation(world.db, world.cvm);
    await world.db.updateTable('cvms').set({ status: 'restarting' }).where('id', '=', world.cvm.id).execute();
    const details = [{ field: 'correlation_id', value: busy.correlation_id }];
    const temporary = await world.call(id, REQUESTS[id]);
    expect(temporary).toMatchObject({
      status: 409,
      body: { code: 'ERR-00-016', details, detail: { error_code: 'ERR-00-016', details } },
    });
    // Published clients repeat a 409 without a top-level `error_code`.
    expect(temporary.body).not.toHaveProperty('error_code');
    expect(temporary.headers.get('retry-after')).toBe('1');
    await world.db.updateTable('operations').set({ state: 'failed' }).where('id', '=', busy.id).execute();
    const final = await world.call(id, REQUESTS[id]);
    expect(final).toMatchObject({ status: 409, body: { code: 'ERR-00-026', error_code: 'ERR-00-026' } });
    expect(final.headers.has('retry-after')).toBe(false);
  });

  it.each([
    'renameCvm',
    'setCvmListed',
    'updateCvmVisibility',
    'updateCvmOsImage',
    'updatePreLaunchScript',
  ] as const)("%s never overwrites another user's change", async (id) => {
    const { headers } = await world.call('getCvm');
    const etag = headers.get('etag') ?? '';
    await world.db.updateTable('cvms').set({ vcpu: 7 }).where('id', '=', world.cvm.id).execute();
    const answer = await world.member.call(id, {
      path: { cvm_id: world.cvm.public_id },
      body: REQUESTS[id],
      headers: { 'if-match': etag },
    });
    expect(answer).toMatchObject({
      status: 412,
      body: { code: 'ERR-00-020', detail: { details: [{ field: 'vcpu', value: 7 }] } },
    });
  });
});

describe('renaming', () => {
  it("changes the name, and the app's if it was the same, but not the hostname", async () => {
    expect((await world.call('renameCvm', { name: 'new-name' })).status).toBe(204);
    expect((await world.call('getCvm')).body).toMatchObject({ name: 'new-name', hostname: world.cvm.name });
    expect((await world.call('getCvmUserConfig')).body).toMatchObject({ hostname: world.cvm.name });
    expect(
      (await world.member.call('getApp', { path: { app_id: world.app.app.app_id } })).body,
    ).toMatchObject({
      name: 'new-name',
    });
    expect(await world.events()).toEqual(['cvm.renamed']);
    expect((await world.member.call('getCvm', { path: { cvm_id: 'new-name' } })).status).toBe(200);
    await world.call('renameCvm', { name: 'third-name' });
    expect((await world.call('getCvm')).body).toMatchObject({ name: 'third-name', hostname: world.cvm.name });
  });

  it('rejects invalid, reserved and taken names', async () => {
    for (const name of ['abc', 'two--dashes', '1abcd', 'recycle-bin', 'a'.repeat(63) + '-'])
      expect((await world.call('renameCvm', { name })).status).toBeGreaterThanOrEqual(400);
    expect(await world.call('renameCvm', { name: 'recycle-bin' })).toMatchObject({
      status: 400,
      body: { code: 'ERR-02-008' },
    });
    const other = await world.addCvm();
    expect(await world.call('renameCvm', { name: other.name })).toMatchObject({
      status: 409,
      body: { code: 'ERR-01-004' },
    });
    expect((await world.now()).name).toBe(world.cvm.name);
  });
});

it('lists and unlists a CVM publicly', async () => {
  expect((await world.call('setCvmListed', { listed: true })).status).toBe(204);
  expect((await world.now()).listed).toBe(true);
  await world.call('setCvmListed', { listed: true });
  expect(await world.events()).toEqual(['cvm.listed']);
});

describe('protection', () => {
  it('prevents manual and scheduled deletion until removed with a confirmation', async () => {
    await world.call('scheduleCvmDelete', { scheduled_delete_at: later(3) });
    expect((await world.call('protectCvm')).status).toBe(204);
    expect((await world.call('getCvm')).body).toMatchObject({ protected: true, scheduled_delete_at: null });
    for (const permanently of [undefined, true])
      expect(
        await world.member.call('deleteCvm', {
          path: { cvm_id: world.cvm.public_id },
          query: { permanently },
        }),
      ).toMatchObject({
        status: 409,
        body: { code: 'ERR-00-044', detail: { suggestions: [expect.any(String)] } },
      });
    expect(await world.call('scheduleCvmDelete', { scheduled_delete_at: later(3) })).toMatchObject({
      status: 409,
      body: { code: 'ERR-00-044' },
    });
    const { db } = world;
    await db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .execute();
    expect((await world.call('unprotectCvm')).body).toMatchObject({ code: 'ERR-00-031' });
    expect((await world.now()).protected).toBe(true);
    await world.member.call('stepUp', { body: { method: 'password', secret: PASSWORD } });
    expect((await world.call('unprotectCvm')).status).toBe(204);
    expect((await world.member.call('deleteCvm', { path: { cvm_id: world.cvm.public_id } })).status).toBe(
      204,
    );
  });
});

describe('a schedule', () => {
  it('accepts a time with a zone, or null', async () => {
    const answer = await world.call('scheduleCvmDelete', {
      scheduled_delete_at: '2027-01-01T00:00:00+02:00',
    });
    expect(answer).toMatchObject({ status: 200, body: { scheduled_delete_at: '2026-12-31T22:00:00.000Z' } });
    const old = await world.member.call('getCvm', {
      path: { cvm_id: world.cvm.public_id },
      headers: { 'x-phala-version': '2025-10-28' },
    });
    expect(old.body).toMatchObject({ scheduled_delete_at: '2026-12-31T22:00:00.000Z' });
    expect((await world.call('scheduleCvmDelete', { scheduled_delete_at: null })).body).toEqual({
      scheduled_stop_at: null,
      scheduled_delete_at: null,
    });
    expect(await world.events()).toEqual(['cvm.schedule_delete', 'cvm.schedule_delete']);
  });

  it.each([
    ['the past', '2020-01-01T00:00:00Z', 400],
    ['next decade', '2036-01-01T00:00:00Z', 400],
    ['no zone', '2027-01-01T00:00:00', 422],
    ['no time', 'tomorrow', 422],
  ])('rejects %s', async (_, at, status) => {
    expect((await world.call('scheduleCvmStop', { scheduled_stop_at: at })).status).toBe(status);
    expect((await world.call('scheduleCvmDelete', { scheduled_delete_at: at })).status).toBe(status);
  });

  it('less than an hour away sends no warning', async () => {
    await world.call('scheduleCvmStop', { scheduled_stop_at: later(0.5) });
    expect((await world.now()).stop_warned_at).not.toBeNull();
    await world.call('scheduleCvmStop', { scheduled_stop_at: later(1.5) });
    expect((await world.now()).stop_warned_at).toBeNull();
  });
});

describe('visibility', () => {
  it('changes through an update with a new compose hash', async () => {
    const answer = await world.call('updateCvmVisibility', { public_logs: false, public_sysinfo: true });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: world.cvm.public_id, status: 'updating', os: { name: 'dstack-0.6.0' } },
    });
    const operation = await world.live();
    expect(operation).toMatchObject({
      type: 'update',
      payload: { public_logs: false, public_sysinfo: true },
    });
    const made = await world.db
      .selectFrom('revisions')
      .selectAll()
      .where('id', '=', operation?.payload.revision_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(made.compose_hash).not.toBe(world.app.revision.compose_hash);
    expect(JSON.parse(made.app_compose)).toMatchObject({ public_logs: false, public_sysinfo: true });
  });

  it('restarts nothing when unchanged', async () => {
    const answer = await world.call('updateCvmVisibility', {
      public_logs: true,
      public_sysinfo: true,
      id: 'leaked',
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'running', public_logs: true } });
    expect(await world.live()).toBeUndefined();
  });
});

describe('a resize on a host with less than nothing left beside what is held for other teams', () => {
  it('is refused what it needs more of, and gets everything else', async () => {
    const other = await identityOf(world.db, world.stranger.email!);
    await world.db
      .insertInto('gpu_waits')
      .values({
        ...other,
        gpus: 0,
        notified_at: new Date(),
        teepod_id: world.host.teepod.id,
        held_until: new Date(Date.now() + 60_000),
        vcpu: 1,
        held_vcpu: 100_000,
      })
      .execute();
    const { vcpu, disk_gb } = world.cvm;
    const refused = await world.call('updateCvmResources', { vcpu: vcpu + 1 });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'The host eu-1 has 0 vCPU free; 1 more needed (limit: vCPU).' },
    });
    expect((await world.call('updateCvmResources', { disk_size: disk_gb + 10 })).status).toBe(202);
    await world.db.deleteFrom('gpu_waits').execute();
  });
});

describe('the audit log', () => {
  const entry = (action: string) =>
    world.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('target_id', '=', world.cvm.public_id)
      .where('action', '=', action)
      .executeTakeFirstOrThrow();

  it('names the CVM and both sizes of a resize', async () => {
    await world.db
      .insertInto('reservations')
      .values({
        teepod_id: world.host.teepod.id,
        team_id: world.cvm.team_id,
        cvm_id: world.cvm.id,
        vcpu: 1,
        memory_mb: 2048,
        disk_gb: 20,
      })
      .execute();
    const { name, vcpu, disk_gb, instance_type } = world.cvm;
    const answer = await world.call('updateCvmResources', { vcpu: vcpu + 1, disk_size: disk_gb + 10 });
    expect(answer.status).toBe(202);
    const { before, after } = await entry('cvm.resize');
    expect(before).toMatchObject({ name, status: 'running', vcpu, disk_gb, instance_type });
    expect(after).toMatchObject({ name, vcpu: vcpu + 1, disk_gb: disk_gb + 10, instance_type: null });
  });

  it('keeps the type of a CVM if only its disk grows, and charges the excess over its rate', async () => {
    const { disk_gb, instance_type, hourly_rate_micros } = world.cvm;
    expect(instance_type).not.toBeNull();
    expect((await world.call('updateCvmResources', { disk_size: disk_gb + 10 })).status).toBe(202);
    expect((await world.live())?.payload).toMatchObject({
      disk_gb: disk_gb + 10,
      instance_type,
      hourly_rate_micros: hourly_rate_micros + 1_000,
      disk_rate_micros: 1_000,
    });
  });

  it('gives a custom-size CVM the type with a matching size', async () => {
    const { instance_type, hourly_rate_micros } = world.cvm;
    await world.db
      .updateTable('cvms')
      .set({ instance_type: null, hourly_rate_micros: 1 })
      .where('id', '=', world.cvm.id)
      .execute();
    expect((await world.call('patchCvm', { instance_type })).status).toBe(202);
    expect((await world.live())?.payload).toMatchObject({ instance_type, hourly_rate_micros });
  });

  it('records the revision and compose hash before and after an update', async () => {
    const old = await world.db
      .selectFrom('revisions')
      .select(['number', 'compose_hash'])
      .where('id', '=', world.cvm.revision_id)
      .executeTakeFirstOrThrow();
    await world.call('updatePreLaunchScript', '#!/bin/sh\n');
    const { payload } = (await world.live())!;
    const next = await world.db
      .selectFrom('revisions')
      .select(['number', 'compose_hash'])
      .where('id', '=', payload.revision_id!)
      .executeTakeFirstOrThrow();
    expect(next.compose_hash).not.toBe(old.compose_hash);
    expect(await entry('cvm.update')).toMatchObject({
      before: { status: 'running', revision: old.number, compose_hash: old.compose_hash },
      after: { status: 'updating', revision: next.number, compose_hash: next.compose_hash },
    });
  });

  it.each([
    ['cvm.stop', 'stopCvm', undefined],
    ['cvm.update', 'updatePreLaunchScript', '#!/bin/sh\n'],
    ['cvm.listed', 'setCvmListed', { listed: true }],
  ] as const)('names the CVM of %s', async (action, id, body) => {
    await world.call(id, body);
    const { name } = world.cvm;
    expect(await entry(action)).toMatchObject({ before: { name }, after: { name } });
  });
});
