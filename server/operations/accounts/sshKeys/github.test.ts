import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let user: TestClient;
let stranger: TestClient;

/** Serves users' keys as GitHub does. */
const github = new Map<string, { status: number; text: string }>();
const githubServer = createServer((req, res) => {
  const found = github.get(/^\/(.+)\.keys$/.exec(req.url ?? '')?.[1] ?? '') ?? {
    status: 404,
    text: 'Not Found',
  };
  res.writeHead(found.status, { 'content-type': 'text/plain' }).end(found.text);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => githubServer.listen(0, '127.0.0.1', resolve));
  const { port } = githubServer.address() as AddressInfo;
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', GITHUB_URL: `http://127.0.0.1:${port}` } });
  user = await server.register();
  stranger = await server.register();
});
afterAll(async () => {
  await server?.stop();
  githubServer.close();
});

describe('SSH keys from GitHub', () => {
  const key = (fill: number) =>
    `ssh-ed25519 ${Buffer.concat([
      Buffer.from('0000000b', 'hex'),
      Buffer.from('ssh-ed25519'),
      Buffer.from('00000020', 'hex'),
      Buffer.alloc(32, fill),
    ]).toString('base64')}`;
  const importKeys = (github_username: string, who = user) =>
    who.call('importGithubKeys', { body: { github_username } });
  const mine = async (who = user) =>
    (await who.call('listSshKeys')).body as { public_key: string; source: string }[];

  it('are imported and kept in sync with the profile', async () => {
    github.set('alice', { status: 200, text: `${key(1)}\n${key(2)}\nssh-dss AAAA\n` });
    expect((await importKeys('alice')).body).toMatchObject({
      github_username: 'alice',
      keys_added: 2,
      keys_skipped: 0,
      errors: [expect.stringContaining('Key 3 of alice')],
    });
    expect((await importKeys('alice')).body).toMatchObject({ keys_added: 0, keys_skipped: 2 });
    expect((await mine())[0]).toMatchObject({
      source: 'github',
      key_metadata: { github_username: 'alice' },
      last_synced_at: expect.any(String),
    });
    await user.call('createSshKey', { body: { name: 'my own', public_key: key(9) } });
    github.set('alice', { status: 200, text: `${key(2)}\n${key(3)}\n` });
    expect((await user.call('syncGithubKeys', { body: {} })).body).toMatchObject({
      synced_count: 1,
      keys_added: 1,
      keys_updated: 1,
      keys_removed: 1,
    });
    expect((await mine()).map(({ public_key, source }) => `${source} ${public_key}`).sort()).toEqual(
      [`github ${key(2)}`, `github ${key(3)}`, `manual ${key(9)}`].sort(),
    );
  });

  it('are synced from the profiles that waited longest', async () => {
    const many = await server.register();
    const profiles = Array.from({ length: 11 }, (_, index) => `member${index}`);
    for (const [index, profile] of profiles.entries()) {
      github.set(profile, { status: 200, text: key(20 + index) });
      expect((await importKeys(profile, many)).body).toMatchObject({ keys_added: 1 });
    }
    github.set('member10', { status: 200, text: key(40) });
    for (let sync = 0; sync < 2; sync++)
      expect((await many.call('syncGithubKeys', { body: {} })).body).toMatchObject({ synced_count: 10 });
    const keys = (await mine(many)).map(({ public_key }) => public_key);
    expect([keys.includes(key(30)), keys.includes(key(40))]).toEqual([false, true]);
  });

  it('report why an import or sync fails', async () => {
    expect(await importKeys('nobody')).toMatchObject({ status: 404, body: { code: 'ERR-00-004' } });
    github.set('broken', { status: 503, text: '' });
    expect(await importKeys('broken')).toMatchObject({ status: 502, body: { code: 'ERR-00-045' } });
    expect((await importKeys('-no-')).status).toBe(422);
    // A profile that can't be read removes nothing.
    github.set('alice', { status: 500, text: '' });
    expect(await user.call('syncGithubKeys', { body: {} })).toMatchObject({ status: 502 });
    expect(await mine()).toHaveLength(3);
    expect((await stranger.call('syncGithubKeys', { body: {} })).body).toMatchObject({ synced_count: 0 });
  });
});
