import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SshKey } from '../../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let alice: TestClient;
let bob: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.register('alice@example.test');
  bob = await server.register('bob@example.test');
});
afterAll(() => server.stop());

function newKey(): string {
  const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const string = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const blob = Buffer.concat([
    string(Buffer.from('ssh-ed25519')),
    string(Buffer.from(jwk.x ?? '', 'base64url')),
  ]);
  return `ssh-ed25519 ${blob.toString('base64')} laptop`;
}
const add = (client: TestClient, public_key: string, headers: Record<string, string> = {}) =>
  client.call('createSshKey', { body: { name: ' laptop\u202e', public_key, key_type: 'ignored' }, headers });
const list = async (client: TestClient) => (await client.call('listSshKeys')).body as SshKey[];

it("adds, lists and removes only the caller's keys", async () => {
  const added = await add(alice, newKey());
  expect(added.status).toBe(201);
  const key = added.body as SshKey;
  expect(key).toMatchObject({
    name: 'laptop',
    key_type: 'ssh-ed25519',
    source: 'manual',
    key_metadata: null,
    fingerprint: expect.stringMatching(/^SHA256:/) as string,
  });
  expect(await list(alice)).toEqual([key]);
  expect(await list(bob)).toEqual([]);
  expect((await bob.call('deleteSshKey', { path: { key_id: key.id } })).status).toBe(404);
  expect((await alice.call('deleteSshKey', { path: { key_id: key.id } })).status).toBe(204);
  expect((await alice.call('deleteSshKey', { path: { key_id: key.id } })).status).toBe(404);
  expect(await list(alice)).toEqual([]);
  expect((await server.anonymous.call('listSshKeys')).status).toBe(401);
});

it('rejects a duplicate key, even concurrently, and lets another user add it', async () => {
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(alice, key)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect((await add(bob, key)).status).toBe(201);
});

it('replays the response for a repeated idempotency key', async () => {
  const key = newKey();
  const first = await add(bob, key, { 'idempotency-key': 'k1' });
  const second = await add(bob, key, { 'idempotency-key': 'k1' });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
});

it('rejects an invalid key with a reason, without echoing it', async () => {
  const answer = await add(alice, '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0c2VjcmV0\n-----END');
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain('public_key');
  expect(JSON.stringify(answer.body)).not.toContain('c2VjcmV0');
});

it('stops at a hundred keys, even under concurrent requests', async () => {
  const carol = await server.register('carol@example.test');
  const answers = await Promise.all(Array.from({ length: 103 }, () => add(carol, newKey())));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  expect(await list(carol)).toHaveLength(100);
});
