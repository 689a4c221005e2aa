import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiToken } from '../../../../generated/api/types.gen';
import { startTestServer, type TestServer } from '../../../testing/server';
import { auditOf, registerUser, type TestMember } from '../testing/members';

/** The API version of requests without one: the token's default, else the server's. */
let server: TestServer;
let owner: TestMember;
const slug = 'versions-team';
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await registerUser(server, 'owner@example.test');
  await owner.client.call('createWorkspace', { body: { name: 'Versions', slug } });
});
afterAll(() => server.stop());

async function made(default_version?: string | null): Promise<CreatedApiToken> {
  const answer = await owner.client.call('createApiToken', {
    path: { slug },
    body: { name: 'CI', scopes: ['*'], ...(default_version === undefined ? {} : { default_version }) },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as CreatedApiToken;
}
const patch = (token_id: string, body: object) =>
  owner.client.call('updateApiToken', { path: { slug, token_id }, body });
async function versionOf(token: string, headers: Record<string, string> = {}): Promise<string | null> {
  // The test client would send a version.
  const answer = await fetch(`${server.url}/api/v1/auth/me`, { headers: { 'x-api-key': token, ...headers } });
  expect(answer.status).toBe(200);
  return answer.headers.get('x-phala-version');
}

describe("a token's default version", () => {
  it('is null unless chosen, and applies only to requests without a version', async () => {
    const plain = await made();
    expect(plain.api_token.default_version).toBeNull();
    expect(await versionOf(plain.token)).toBe('2026-01-21');
    const { token, api_token } = await made('2025-10-28');
    expect(api_token.default_version).toBe('2025-10-28');
    expect(await versionOf(token)).toBe('2025-10-28');
    expect(await versionOf(token, { 'x-phala-version': '2026-05-22' })).toBe('2026-05-22');
    expect(await versionOf(token, { 'x-phala-version': 'LATEST' })).toBe('2026-06-23');
  });

  it('can change, alone or with the name, and back to the default', async () => {
    const { token, api_token } = await made();
    expect(await patch(api_token.id, { default_version: '2026-06-23' })).toMatchObject({
      status: 200,
      body: { name: 'CI', default_version: '2026-06-23' },
    });
    expect(await versionOf(token)).toBe('2026-06-23');
    expect((await patch(api_token.id, { name: 'CI two' })).body).toMatchObject({
      name: 'CI two',
      default_version: '2026-06-23',
    });
    expect((await patch(api_token.id, { default_version: null })).status).toBe(200);
    expect(await versionOf(token)).toBe('2026-01-21');
    const { data } = (await owner.client.call('listTokens', { path: { slug } })).body;
    expect(data.find(({ id }) => id === api_token.id)).toMatchObject({ default_version: null });
  });

  it('must be a known version, and a change must change something', async () => {
    const { api_token } = await made();
    expect((await patch(api_token.id, { default_version: '2030-01-01' })).status).toBe(422);
    expect((await patch(api_token.id, { default_version: 'LATEST' })).status).toBe(422);
    expect((await patch(api_token.id, {})).status).toBe(422);
  });

  it('is part of the audit log and the token’s ETag', async () => {
    const { api_token } = await made();
    await patch(api_token.id, { default_version: '2026-05-22' });
    const entries = await auditOf(server, slug, 'token.default_version');
    expect(entries[0]).toMatchObject({
      before: { default_version: null },
      after: { default_version: '2026-05-22' },
    });
    const stale = await owner.client.call('updateApiToken', {
      path: { slug, token_id: api_token.id },
      body: { default_version: null },
      headers: { 'if-match': api_token.etag },
    });
    expect(stale.status).toBe(412);
  });
});
