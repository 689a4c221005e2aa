import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { COMPOSE } from '../../../testing/cvmFixtures';
import { bootedCompose } from '../../../testing/hostedCvm';
import { at, composeWith, detailOf, startHostedTeam, type HostedTeam } from '../../../testing/hostedTeam';

/** Concurrent changes by two users to one CVM, and an app's history with rollback. */
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('changing')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

describe('concurrent edits', () => {
  it('reject the second save with the changed fields, and accept it after a refresh', async () => {
    const { cvm } = await team.running();
    const read = await team.member.call('getCvm', { path: at(cvm) });
    const etag = read.headers.get('etag')!;
    const first = await team.colleague.call('patchCvm', {
      path: at(cvm),
      body: { docker_compose_file: composeWith('first'), public_logs: false },
      headers: { 'if-match': etag },
    });
    expect(first.status).toBe(202);
    await team.ended(cvm);
    const mine = { docker_compose_file: composeWith('second') };
    const second = await team.member.call('patchCvm', {
      path: at(cvm),
      body: mine,
      headers: { 'if-match': etag },
    });
    expect(second.status).toBe(412);
    const { message, details } = detailOf(second);
    expect(message).toContain(team.colleague.email!.split('@')[0]);
    const { revision_id } = (
      await team.member.call('listAppRevisions', { path: { app_id: String(read.body.app_id) } })
    ).body.revisions[0]!;
    expect(details).toEqual([
      { field: 'docker_compose_file', value: { revision_id, revision_number: 2 } },
      { field: 'public_logs', value: false },
    ]);
    expect(JSON.stringify(second.body)).not.toContain('GREETING:-first');
    const again = (await team.member.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    expect(again).not.toBe(etag);
    const third = await team.member.call('patchCvm', {
      path: at(cvm),
      body: mine,
      headers: { 'if-match': again },
    });
    expect(third.status).toBe(202);
    await team.ended(cvm);
  });

  it('conflict on a new size or new secrets, but not on a new status', async () => {
    const { cvm } = await team.running();
    const etag = (await team.member.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    await team.member.call('stopCvm', { path: at(cvm) });
    await team.ended(cvm);
    const sealed = 'ab'.repeat(80);
    const envs = await team.member.call('updateCvmEnvs', {
      path: at(cvm),
      body: { encrypted_env: sealed },
      headers: { 'if-match': etag },
    });
    expect(envs.status).toBe(202);
    await team.ended(cvm);
    await team.member.call('updateCvmResources', { path: at(cvm), body: { vcpu: 2 } });
    await team.ended(cvm);
    const stale = await team.member.call('updateDockerCompose', {
      path: at(cvm),
      body: composeWith('late'),
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    expect(detailOf(stale).details).toEqual([
      { field: 'encrypted_env', value: 'replaced' },
      { field: 'vcpu', value: 2 },
      // A custom size no longer matches the listed one.
      { field: 'instance_type', value: null },
    ]);
    expect(JSON.stringify(stale.body)).not.toContain(sealed);
    const odd = await team.member.call('patchCvm', {
      path: at(cvm),
      body: { vcpu: 4 },
      headers: { 'if-match': '"something else"' },
    });
    expect(odd.status).toBe(412);
  });

  it('return the running operation while the first save is applied', async () => {
    const { cvm } = await team.running();
    const etag = (await team.member.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    const correlation_id = await team.update(cvm, 'running');
    const second = await team.colleague.call('patchCvm', {
      path: at(cvm),
      body: { docker_compose_file: composeWith('meanwhile') },
      headers: { 'if-match': etag },
    });
    expect(second.status).toBe(409);
    expect(detailOf(second).details).toEqual([{ field: 'correlation_id', value: correlation_id }]);
    await team.ended(cvm);
  });
});

describe('app history', () => {
  it('lists author and reason, shows every revision in full, and rolls back', async () => {
    const { app, cvm } = await team.running();
    const { app_id } = app.app;
    await team.update(cvm, 'two', { reason: 'Politer' });
    expect(await team.ended(cvm)).toMatchObject({ state: 'succeeded' });
    const page = (await team.member.call('listAppRevisions', { path: { app_id } })).body.revisions;
    expect(page.map(({ revision_number, state, cvm_count }) => [revision_number, state, cvm_count])).toEqual([
      [2, 'live', 1],
      [1, 'superseded', 0],
    ]);
    expect(page[0]).toMatchObject({ reason: 'Politer', operation_type: 'update' });
    expect(page[0]?.trace_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(page[0]?.triggered_by?.username).toBe(team.member.email!.split('@')[0]);
    expect(page[0]?.cvm?.id).toBe(cvm.public_id);
    const [two, one] = page as [(typeof page)[0], (typeof page)[0]];
    const full = (
      await team.member.call('getAppRevision', { path: { app_id, revision_id: one!.revision_id } })
    ).body;
    expect(full).toMatchObject({
      app_compose: app.revision.app_compose,
      docker_compose_file: COMPOSE,
      kms: { slug: team.host.kms.slug },
      encrypted_env: '',
      user_config: '',
    });
    expect(full.images).toMatchObject([{ service: 'web', pinned: `sha256:${'a'.repeat(64)}` }]);
    const raw = await team.member.call('getAppRevision', {
      path: { app_id, revision_id: one!.revision_id },
      query: { raw_compose_file: true },
    });
    expect(raw.body.compose_file).toBe(app.revision.app_compose);

    const etag = (await team.member.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    const back = await team.member.call('redeployCvmRevision', {
      path: { ...at(cvm), revision_id: one!.revision_id },
      body: { reason: 'Too polite' },
      headers: { 'if-match': etag },
    });
    expect(back.status, JSON.stringify(back.body)).toBe(202);
    expect(back.body).toMatchObject({
      revision: { revision_number: 3 },
      restores: { revision_id: one!.revision_id, revision_number: 1 },
      missing_envs: [],
    });
    expect(await team.ended(cvm)).toMatchObject({ state: 'succeeded' });
    // Its card names the revision that the user chose, not the new one that was made of it.
    const operations = await team.member.call('listCvmOperations', { path: at(cvm) });
    expect(operations.body.data.filter(({ type }) => type === 'update')).toMatchObject([
      { rolls_back: true, revision: { revision_number: 3 }, rolls_back_to: { revision_number: 1 } },
      { rolls_back: false, revision: { revision_number: 2 }, rolls_back_to: null },
    ]);
    expect(await bootedCompose(team.server.services, team.host.teepod, cvm)).toBe(app.revision.app_compose);
    const after = (await team.member.call('listAppRevisions', { path: { app_id } })).body.revisions;
    expect(after.map(({ state }) => state)).toEqual(['live', 'superseded', 'superseded']);
    expect(after[0]).toMatchObject({
      operation_type: 'rollback',
      compose_hash: one!.compose_hash,
      reason: 'Too polite',
      restores: { revision_number: 1 },
    });
    const stale = await team.member.call('redeployCvmRevision', {
      path: { ...at(cvm), revision_id: two!.revision_id },
      body: {},
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    const { data } = (await team.member.call('listEvents', { query: { cvm: cvm.public_id, limit: 50 } }))
      .body;
    expect(data.filter(({ kind }) => kind.startsWith('update.')).map(({ message }) => message)).toEqual([
      'Rolled back',
      'Rollback requested',
      'Updated',
      'Update requested',
    ]);
    const same = await team.member.call('redeployCvmRevision', {
      path: { ...at(cvm), revision_id: one!.revision_id },
    });
    expect(same.body).toMatchObject({ revision: { revision_number: 3 }, restores: null });
    await team.ended(cvm);
    for (const [client, path] of [
      [team.stranger, { ...at(cvm), revision_id: one!.revision_id }],
      [team.member, { ...at(cvm), revision_id: 'rev_unknown' }],
    ] as const)
      expect((await client.call('redeployCvmRevision', { path, body: {} })).status).toBe(404);
    const theirs = { app_id, revision_id: one!.revision_id };
    expect((await team.stranger.call('getAppRevision', { path: theirs })).status).toBe(404);
    expect(
      (await team.member.call('getAppRevision', { path: { app_id, revision_id: 'rev_unknown' } })).status,
    ).toBe(404);
  });

  it('keeps a failed update as a draft', async () => {
    const { app, cvm } = await team.running();
    let refused = false;
    team.fake.on('/prpc/StartVm', (_request, response) => {
      if (refused) return 'pass';
      refused = true;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"kernel panic"}');
      return undefined;
    });
    await team.update(cvm, 'broken');
    expect(await team.ended(cvm)).toMatchObject({ state: 'failed' });
    await team.update(cvm, 'sound');
    expect(await team.ended(cvm)).toMatchObject({ state: 'succeeded' });
    const { revisions } = (await team.member.call('listAppRevisions', { path: { app_id: app.app.app_id } }))
      .body;
    expect(revisions.map(({ state }) => state)).toEqual(['live', 'draft', 'superseded']);
  });

  it('boots the live revision after an update and its rollback both failed', async () => {
    const { app, cvm } = await team.running();
    let writes = 0;
    const refuse =
      (what: string): Parameters<HostedTeam['fake']['on']>[1] =>
      (_request, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(`{"error":"${what}"}`);
      };
    team.fake.on('/prpc/StartVm', refuse('kernel panic'));
    team.fake.on('/prpc/UpdateVm', (...given) =>
      ++writes === 1 ? 'pass' : refuse('disk is full')(...given),
    );
    await team.update(cvm, 'stuck');
    expect(await team.ended(cvm)).toMatchObject({ type: 'update', state: 'failed' });
    expect(await team.now(cvm)).toMatchObject({ status: 'error', revision_id: cvm.revision_id });
    team.restoreHost();
    const driver = team.server.services.vmm.get(team.host.teepod);
    expect((await driver.getInfo(cvm.host_vm_id!))?.configuration?.compose_file).toContain('stuck');
    expect((await team.member.call('startCvm', { path: at(cvm) })).status).toBe(200);
    expect(await team.ended(cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
    expect(await bootedCompose(team.server.services, team.host.teepod, cvm)).toBe(app.revision.app_compose);
  });

  it('reverts the part of an update that a host applied before refusing the rest', async () => {
    const { app, cvm } = await team.running();
    const driver = team.server.services.vmm.get(team.host.teepod);
    const half = app.revision.app_compose.replace('nginx', 'half');
    let writes = 0;
    team.fake.on('/prpc/UpdateVm', (_request, response) => {
      if (++writes > 1) return 'pass';
      void driver
        .updateVm(cvm.host_vm_id!, { compose_file: half })
        .then(() =>
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":"failed to write `/srv/dstack/vm/1/shared/app-compose.json`: disk is full"}'),
        );
      return undefined;
    });
    await team.update(cvm, 'halved');
    const { state, error_message } = await team.ended(cvm);
    expect([state, error_message]).toEqual([
      'failed',
      expect.stringContaining('…/app-compose.json`: disk is full'),
    ]);
    expect(error_message).not.toContain('/srv');
    expect(await team.now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
    expect(writes).toBe(3);
    expect((await driver.getInfo(cvm.host_vm_id!))?.configuration?.compose_file).toBe(
      app.revision.app_compose,
    );
  });

  it('bills the disk that a host enlarged before refusing the rest of a resize', async () => {
    const { cvm } = await team.running();
    const driver = team.server.services.vmm.get(team.host.teepod);
    const disk_size = cvm.disk_gb + 5;
    let writes = 0;
    team.fake.on('/prpc/UpdateVm', (_request, response) => {
      if (++writes > 1) return 'pass';
      void driver
        .updateVm(cvm.host_vm_id!, { disk_size })
        .then(() =>
          response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no such size"}'),
        );
      return undefined;
    });
    await team.member.call('updateCvmResources', { path: at(cvm), body: { vcpu: 2, disk_size } });
    expect(await team.ended(cvm)).toMatchObject({ type: 'resize', state: 'failed' });
    expect(await team.now(cvm)).toMatchObject({
      status: 'running',
      vcpu: cvm.vcpu,
      disk_gb: disk_size,
      hourly_rate_micros: cvm.hourly_rate_micros + 500,
      disk_rate_micros: 500,
    });
  });

  it('says what to do when a VM without a disk can’t be resized', async () => {
    const { cvm } = await team.running();
    team.fake.on('/prpc/UpdateVm', (_request, response) => {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(
          '{"error":"Failed to resize disk: qemu-img: Could not open \'/srv/vm/hda.img\': No such file or directory"}',
        );
    });
    await team.member.call('updateCvmResources', { path: at(cvm), body: { disk_size: cvm.disk_gb + 5 } });
    expect(await team.ended(cvm)).toMatchObject({
      state: 'failed',
      error_message: expect.stringContaining('before its first boot'),
    });
  });

  it('keeps the CVM running at its old size when the host rejects a resize', async () => {
    const { cvm } = await team.running();
    team.fake.on('/prpc/UpdateVm', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no such size"}');
    });
    await team.member.call('updateCvmResources', { path: at(cvm), body: { vcpu: 2 } });
    expect(await team.ended(cvm)).toMatchObject({
      state: 'failed',
      error_message: expect.stringContaining('running again'),
    });
    expect(await team.now(cvm)).toMatchObject({ status: 'running', vcpu: 1 });
  });
});
