import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Problem } from '../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/** Keys that a request body has and the server doesn't know. */
let server: TestServer;
let member: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  member = await server.register();
});
afterAll(() => server.stop());

it('are named in a header of the response', async () => {
  const known = await member.call('getStatusBatch', { body: { vm_uuids: [] } });
  expect(known.headers.get('x-ignored-keys')).toBeNull();
  const answer = await member.call('getStatusBatch', { body: { vm_uuids: [], colour: 'red', absent: null } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ignored-keys')).toBe('colour');
});

it('are refused by name where ignoring them would change the meaning', async () => {
  const compose_file = { docker_compose_file: 'services: {}', no_instance_id: true };
  const answer = await member.call('provisionCvm', {
    body: { name: 'refused', compose_file, encrypted: false, ssh_authorized_keys: ['ssh-ed25519 AAAA'] },
  });
  expect(answer.status).toBe(422);
  expect((answer.body as unknown as Problem).detail).toMatchObject([
    { loc: ['body', 'encrypted'], type: 'refused_key' },
    { loc: ['body', 'ssh_authorized_keys'], type: 'refused_key' },
    { loc: ['body', 'compose_file', 'no_instance_id'], type: 'refused_key' },
  ]);
});
