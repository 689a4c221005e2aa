import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bootedCompose } from '../../testing/hostedCvm';
import { at, detailOf, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { eventually } from '../../testing/server';

/** Cancels an operation at each moment it can be canceled, and checks the reason given where it can't. */
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('cancelling')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

describe('canceling', () => {
  it('leaves the CVM untouched when an update is canceled before the old revision stops', async () => {
    const { app, cvm } = await team.running();
    let held = true;
    team.fake.on('/prpc/UpdateVm', (_request, response) => {
      if (!held) return 'pass';
      held = false;
      setTimeout(() => response.writeHead(503).end(), 1_000);
      return undefined;
    });
    const before = team.fake.requests.length;
    const correlation_id = await team.update(cvm, 'cancelled early');
    await eventually('the host receives the update', async () => !held);
    const answer = await team.colleague.call('cancelOperation', { path: { correlation_id } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({ type: 'update', state: 'cancelled' });
    expect(await team.now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
    expect(team.fake.requests.slice(before).filter((path) => /StopVm|ShutdownVm|StartVm/.test(path))).toEqual(
      [],
    );
    const vm = await team.server.services.vmm.get(team.host.teepod).getInfo(cvm.host_vm_id!);
    expect(vm?.configuration?.compose_file).toBe(app.revision.app_compose);
    const { body } = await team.member.call('getOperation', { path: { correlation_id } });
    expect(body).toMatchObject({ state: 'cancelled', error: null, cancellable: false });
    expect(body.cancelled_by?.username).toBe(team.colleague.email!.split('@')[0]);
    const { data } = (
      await team.member.call('listEvents', { query: { operation: correlation_id, kind: 'update' } })
    ).body;
    expect(data[0]).toMatchObject({
      kind: 'update.cancelled',
      message: `Update canceled by ${team.colleague.email!.split('@')[0]}`,
    });
    const { revisions } = (await team.member.call('listAppRevisions', { path: { app_id: app.app.app_id } }))
      .body;
    expect(revisions.map(({ state }) => state)).toEqual(['draft', 'live']);
  });

  it('restores the previous revision when an update is canceled during boot', async () => {
    const { app, cvm } = await team.running();
    let frozen: string | null = null;
    team.fake.on('/prpc/StartVm', (_request, response, body) => {
      if (frozen !== null) return 'pass';
      frozen = String(body.id);
      response.writeHead(200, { 'content-type': 'application/json' }).end('null');
      return undefined;
    });
    team.fake.on('/prpc/GetInfo', () => 'pass');
    // The host reports a start, and then the VM stays "running" without progress.
    team.fake.on('/prpc/GetInfo', (_request, response, body) => {
      if (frozen !== body.id) return 'pass';
      const info = {
        id: frozen,
        name: 'x',
        status: 'running',
        uptime: '1s',
        app_url: null,
        app_id: app.app.app_id,
        instance_id: null,
        configuration: null,
        exited_at: null,
        boot_progress: 'booting',
        boot_error: '',
        shutdown_progress: '',
        image_version: '0.6.0',
        events: [],
        interfaces: [],
      };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ found: true, info }));
      return undefined;
    });
    const correlation_id = await team.update(cvm, 'never up');
    await eventually('the CVM boots', async () => {
      const { body } = await team.member.call('getOperation', { path: { correlation_id } });
      return body.steps.some(({ name, state }) => name === 'boot' && state === 'running') && body.cancellable;
    });
    expect((await team.member.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(202);
    team.fake.on('/prpc/GetInfo', () => 'pass');
    expect(await team.ended(cvm)).toMatchObject({ state: 'cancelled' });
    expect(await team.now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
    expect(await bootedCompose(team.server.services, team.host.teepod, cvm)).toBe(app.revision.app_compose);
  });

  it('stops a starting CVM again, and gives the reason where an operation cannot be canceled', async () => {
    const { cvm } = await team.running();
    team.fake.on('/prpc/StopVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 500);
      return undefined;
    });
    const stop = (await team.member.call('stopCvm', { path: at(cvm) })).body as { correlation_id: string };
    await eventually('the CVM is stopping', async () => {
      const { body } = await team.member.call('getOperation', {
        path: { correlation_id: stop.correlation_id },
      });
      return body.steps.length > 0 && !body.cancellable && body.not_cancellable_reason !== null;
    });
    const refused = await team.member.call('cancelOperation', {
      path: { correlation_id: stop.correlation_id },
    });
    expect(refused.status).toBe(409);
    expect(detailOf(refused).message).toContain('can’t be undone');
    team.fake.on('/prpc/StopVm', () => 'pass');
    await team.ended(cvm);
    const over = await team.member.call('cancelOperation', { path: { correlation_id: stop.correlation_id } });
    expect(over.status).toBe(409);
    expect(detailOf(over).message).toContain('Already ended: succeeded');
    expect((await team.member.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(409);

    team.fake.on('/prpc/StartVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 500);
      return undefined;
    });
    const start = (await team.member.call('startCvm', { path: at(cvm) })).body as { correlation_id: string };
    await eventually('the CVM is starting', async () => {
      const { body } = await team.member.call('getOperation', {
        path: { correlation_id: start.correlation_id },
      });
      return body.steps.some(({ name }) => name === 'start');
    });
    expect(
      (await team.member.call('cancelOperation', { path: { correlation_id: start.correlation_id } })).status,
    ).toBe(202);
    const twice = await team.member.call('cancelOperation', {
      path: { correlation_id: start.correlation_id },
    });
    expect(twice.status).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({ type: 'start', state: 'cancelled' });
    expect(await team.now(cvm)).toMatchObject({ status: 'stopped', desired: 'stopped' });
  });

  it('restarts at the old size when a resize is canceled early, and releases the capacity', async () => {
    const { cvm } = await team.running();
    team.fake.on('/prpc/ShutdownVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 500);
      return undefined;
    });
    await team.member.call('updateCvmResources', { path: at(cvm), body: { vcpu: 4 } });
    await eventually('the CVM is stopping', async () => {
      const { data } = (await team.member.call('listCvmOperations', { path: at(cvm) })).body;
      return data[0]?.steps.length;
    });
    expect((await team.member.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(202);
    expect(await team.ended(cvm)).toMatchObject({ type: 'resize', state: 'cancelled' });
    expect(await team.now(cvm)).toMatchObject({ status: 'running', vcpu: 1 });
    const held = await team.server.services.db
      .selectFrom('reservations')
      .select('vcpu')
      .where('cvm_id', '=', cvm.id)
      .executeTakeFirstOrThrow();
    expect(held.vcpu).toBe(1);
  });

  it('deletes the CVM when a deployment is canceled', async () => {
    const { cvm: source } = await team.running();
    await team.server.services.db
      .insertInto('teepod_os_images')
      .columns(['teepod_id', 'os_image_id'])
      .expression((eb) =>
        eb
          .selectFrom('os_images')
          .select((e) => [e.val(team.host.teepod.id).as('teepod_id'), 'id as os_image_id'])
          .where('name', '=', source.os_image),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    team.fake.on('/prpc/CreateVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 1_000);
      return undefined;
    });
    const made = await team.member.call('createCvmReplica', { path: at(source), body: {} });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { correlation_id, vm_uuid } = made.body as { correlation_id: string; vm_uuid: string };
    const answer = await team.member.call('cancelOperation', { path: { correlation_id } });
    expect(answer.body).toMatchObject({ type: 'deploy', state: 'cancelled' });
    team.fake.on('/prpc/CreateVm', () => 'pass');
    const cvm = await eventually('the CVM is deleted', async () => {
      const row = await team.server.services.db
        .selectFrom('cvms')
        .selectAll()
        .where('vm_uuid', '=', vm_uuid)
        .executeTakeFirstOrThrow();
      return row.deleted_at ? row : null;
    });
    const held = await team.server.services.db
      .selectFrom('reservations')
      .select('id')
      .where('cvm_id', '=', cvm.id)
      .execute();
    expect(held).toEqual([]);
    expect((await team.member.call('getCvm', { path: at(source) })).body.status).toBe('running');
  });

  it('is not possible for another team', async () => {
    const { cvm } = await team.running();
    const correlation_id = await team.update(cvm, 'not yours');
    expect((await team.stranger.call('cancelOperation', { path: { correlation_id } })).status).toBe(404);
    expect((await team.stranger.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(404);
    expect((await team.member.call('cancelOperation', { path: { correlation_id: 'no-uuid' } })).status).toBe(
      404,
    );
    expect(await team.ended(cvm)).toMatchObject({ state: 'succeeded' });
  });
});
