import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { bootedCompose } from '../../../testing/hostedCvm';
import { at, composeWith, detailOf, startHostedTeam, type HostedTeam } from '../../../testing/hostedTeam';

/** A patch with any mix of changes, applied by one operation. */
let team: HostedTeam;

beforeAll(async () => {
  team = await startHostedTeam('patching');
  const { db } = team.server.services;
  const [image] = await db
    .insertInto('os_images')
    .values({
      name: 'dstack-0.6.1',
      slug: 'dstack-0.6.1-0badcafe',
      version: '0.6.1',
      is_dev: false,
      os_image_hash: 'ef'.repeat(32),
    })
    .returning('id')
    .execute();
  await db
    .insertInto('teepod_os_images')
    .values({ teepod_id: team.host.teepod.id, os_image_id: image!.id })
    .execute();
});
afterEach(() => team.restoreHost());
afterAll(() => team.close());

const patch = (cvm: CvmRow, body: Record<string, unknown>, client = team.member) =>
  client.call('patchCvm', { path: at(cvm), body });

const configuration = async (cvm: CvmRow) =>
  (await team.server.services.vmm.get(team.host.teepod).getInfo(cvm.host_vm_id!))?.configuration;

const reserved = (cvm: CvmRow) =>
  team.server.services.db
    .selectFrom('reservations')
    .select(['vcpu', 'memory_mb', 'disk_gb'])
    .where('cvm_id', '=', cvm.id)
    .executeTakeFirst();

describe('a patch of everything', () => {
  it('changes size, image, app and listing as one operation', async () => {
    const { cvm } = await team.running();
    const answer = await patch(cvm, {
      instance_type: 'tdx.medium',
      disk_size: cvm.disk_gb + 10,
      os_image_name: 'dstack-0.6.1',
      docker_compose_file: composeWith('all'),
      gateway_enabled: false,
      secure_time: true,
      listed: true,
      allow_restart: 1,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({
      type: 'update',
      state: 'succeeded',
      correlation_id: (answer.body as { correlation_id: string }).correlation_id,
    });
    const type = await team.server.services.db
      .selectFrom('instance_types')
      .selectAll()
      .where('id', '=', 'tdx.medium')
      .executeTakeFirstOrThrow();
    const size = { vcpu: type.vcpu, memory_mb: type.memory_mb, disk_gb: cvm.disk_gb + 10 };
    expect(await team.now(cvm)).toMatchObject({
      ...size,
      status: 'running',
      instance_type: 'tdx.medium',
      hourly_rate_micros: type.hourly_rate_micros,
      os_image: 'dstack-0.6.1',
      listed: true,
    });
    expect(await reserved(cvm)).toEqual(size);
    expect(await configuration(cvm)).toMatchObject({
      vcpu: size.vcpu,
      memory: size.memory_mb,
      disk_size: size.disk_gb,
      image: 'dstack-0.6.1',
    });
    const booted = await bootedCompose(team.server.services, team.host.teepod, cvm);
    expect(JSON.parse(booted)).toMatchObject({ gateway_enabled: false, secure_time: true });
    expect(booted).toContain('GREETING:-all');
  });

  it('applies to a stopped CVM at its next boot', async () => {
    const { cvm } = await team.running();
    await team.member.call('stopCvm', { path: at(cvm) });
    await team.ended(cvm);
    const body = { vcpu: 2, docker_compose_file: composeWith('later'), allow_restart: false };
    expect((await patch(cvm, body)).status).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({ type: 'update', state: 'succeeded' });
    expect(await team.now(cvm)).toMatchObject({ status: 'stopped', vcpu: 2 });
    expect(await configuration(cvm)).toMatchObject({ vcpu: 2 });
  });

  it('reverts all but a grown disk if the new revision fails to start', async () => {
    const { cvm } = await team.running();
    let refused = false;
    team.fake.on('/prpc/StartVm', (_request, response) => {
      if (refused) return 'pass';
      refused = true;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"kernel panic"}');
      return undefined;
    });
    const body = {
      vcpu: 2,
      memory: cvm.memory_mb * 2,
      disk_size: cvm.disk_gb + 5,
      docker_compose_file: composeWith('bad'),
    };
    expect((await patch(cvm, body)).status).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({ type: 'update', state: 'failed' });
    const size = { vcpu: cvm.vcpu, memory_mb: cvm.memory_mb, disk_gb: cvm.disk_gb + 5 };
    expect(await team.now(cvm)).toMatchObject({
      ...size,
      status: 'running',
      revision_id: cvm.revision_id,
      // The grown disk is billed.
      hourly_rate_micros: cvm.hourly_rate_micros + 500,
      disk_rate_micros: 500,
    });
    expect(await reserved(cvm)).toEqual(size);
    expect(await configuration(cvm)).toMatchObject({
      vcpu: size.vcpu,
      memory: size.memory_mb,
      disk_size: size.disk_gb,
    });
  });
});

describe('a patch', () => {
  it('of the listing alone needs no operation', async () => {
    const { cvm } = await team.running();
    expect((await patch(cvm, { listed: true })).status).toBe(202);
    expect(await team.now(cvm)).toMatchObject({ status: 'running', listed: true });
    expect((await team.member.call('getCvm', { path: at(cvm) })).body).toMatchObject({ in_progress: false });
  });

  it('ignores an unchanged size among other changes, but rejects it alone', async () => {
    const { cvm } = await team.running();
    expect((await patch(cvm, { vcpu: cvm.vcpu })).status).toBe(400);
    expect((await patch(cvm, { vcpu: cvm.vcpu, public_logs: false })).status).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({ type: 'update', state: 'succeeded' });
  });

  it('restarts nothing without permission', async () => {
    const { cvm } = await team.running();
    for (const change of [{ vcpu: 2 }, { public_logs: false }]) {
      const answer = await patch(cvm, { ...change, allow_restart: false });
      expect(answer.status).toBe(409);
      expect(detailOf(answer).details).toEqual([{ field: 'allow_restart', value: false }]);
    }
  });

  it('names every unknown key, and changes nothing', async () => {
    const { cvm } = await team.running();
    const answer = await patch(cvm, { colour: 'blue', shape: 1, id: cvm.public_id, absent: null });
    expect(answer.status).toBe(422);
    expect((answer.body as unknown as Problem).detail).toMatchObject([
      { loc: ['body', 'colour'], type: 'unknown_key' },
      { loc: ['body', 'shape'], type: 'unknown_key' },
    ]);
    expect((await patch(cvm, { vcpu: 2, node_id: 7 })).status).toBe(422);
    expect(await team.now(cvm)).toMatchObject({ status: 'running', vcpu: cvm.vcpu });
  });

  it.each([
    [{ gpus: { count: 1 } }, 'ERR-02-009'],
    [{ instance_type: 'no.such' }, 'ERR-02-001'],
    [{ image: 'one', os_image_name: 'two' }, 'ERR-02-008'],
    [{}, 'ERR-02-008'],
  ])('of %j is rejected', async (body, code) => {
    const { cvm } = await team.running();
    expect(await patch(cvm, body)).toMatchObject({ status: 400, body: { code } });
  });

  it("of another team's CVM is not found", async () => {
    const { cvm } = await team.running();
    expect((await patch(cvm, { vcpu: 2 }, team.stranger)).status).toBe(404);
  });
});
