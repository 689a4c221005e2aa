import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Problem } from '../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/** Unknown keys in request bodies. */
let server: TestServer;
let member: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  member = await server.register();
});
afterAll(() => server.stop());

it('are named in a response header', async () => {
  const known = await member.call('getStatusBatch', { body: { vm_uuids: [] } });
  expect(known.headers.get('x-ignored-keys')).toBeNull();
  const answer = await member.call('getStatusBatch', { body: { vm_uuids: [], colour: 'red', absent: null } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ignored-keys')).toBe('colour');
});

it('are named for operations without a body, whatever is sent', async () => {
  const ask = async (body: string) => {
    const answer = await fetch(`${server.address}/api/v1/cvms/no-such-cvm/stop`, {
      method: 'POST',
      headers: { cookie: member.cookie ?? '', 'content-type': 'application/json' },
      body,
    });
    return [answer.status, answer.headers.get('x-ignored-keys')];
  };
  expect(await ask('{"force":true,"":1}')).toEqual([404, 'force, ""']);
  for (const body of ['', 'null', '[1]', '{"force":', JSON.stringify({ a: 'x'.repeat(100_000) })])
    expect(await ask(body)).toEqual([404, null]);
});

it('never widen a change beyond what the caller named', async () => {
  const cvm = { cvm_id: 'no-such-cvm' };
  const app = { app_id: 'a'.repeat(40), revision_id: 'no-such-revision' };
  for (const [id, path, body, key] of [
    // Without vm_uuids, all CVMs of the app change.
    ['redeployAppRevision', app, { cvm_ids: ['x'] }, 'cvm_ids'],
    ['createRollout', app, { public_logs: true, docker_compose: 'x' }, 'docker_compose'],
    ['updateCvmVisibility', cvm, { public_logs: true, listed: false }, 'listed'],
    ['updateCvmResources', cvm, { disk_size: 30, image: 'dstack-0.6.1' }, 'image'],
  ] as const) {
    const answer = await member.call(id, { path, body });
    expect([id, answer.status, answer.body]).toMatchObject([id, 422, { details: [{ field: key }] }]);
  }
  // Clients repeat the path's identifiers in the body.
  const repeated = await member.call('redeployAppRevision', { path: app, body: app });
  expect([repeated.status, repeated.headers.get('x-ignored-keys')]).toEqual([404, null]);
});

it('are rejected by name where ignoring them would change the meaning', async () => {
  const compose_file = { docker_compose_file: 'services: {}', no_instance_id: true };
  const answer = await member.call('provisionCvm', {
    body: {
      name: 'refused',
      compose_file,
      encrypted: false,
      ssh_authorized_keys: ['ssh-ed25519 AAAA'],
      os_image_name: 'dstack-0.6.1',
    },
  });
  expect(answer.status).toBe(422);
  expect((answer.body as unknown as Problem).detail).toMatchObject([
    { loc: ['body', 'encrypted'], type: 'refused_key' },
    { loc: ['body', 'ssh_authorized_keys'], type: 'refused_key' },
    { loc: ['body', 'os_image_name'], type: 'refused_key' },
    { loc: ['body', 'compose_file', 'no_instance_id'], type: 'refused_key' },
  ]);
});
