import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { permissions } from '../../generated/api/permissions.gen';
import { fingerprint } from '../testing/fingerprint';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/**
 * Cross-site request forgery against every state-changing operation in the document: requests another site's page can
 * make a signed-in user's browser send. Some carry the cookie (same-site subdomains, old browsers), so the origin
 * must be rejected, and a form must not be able to send JSON.
 */
const ids = Object.keys(operations) as OperationId[];
const changing = ids.filter((id) => operations[id].method !== 'get');
const isPublic = (id: OperationId) =>
  (permissions[operations[id].permission].roles as readonly string[]).includes('public');

let server: TestServer;
let person: TestClient;
beforeAll(async () => {
  // Background work would change tables on its own.
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  person = await server.register();
});
afterAll(() => server?.stop());

const path = (id: OperationId) =>
  Object.fromEntries(
    [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      name === 'slug' ? (person.slug ?? '') : 'something',
    ]),
  );

/** Headers that browsers attach to another site's request. */
const FOREIGN: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://sibling.example.test' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
];

describe.each(changing.filter((id) => !isPublic(id)))('%s', (id) => {
  it('is rejected from another site', async () => {
    const before = await fingerprint(server.services.db);
    for (const headers of FOREIGN) {
      const answer = await person.call(id, {
        path: path(id),
        body: operations[id].body ? {} : undefined,
        headers,
      });
      const context = JSON.stringify({ headers, body: answer.body });
      expect(answer.status, context).toBe(403);
      expect(context).toContain('another site');
    }
    expect(await fingerprint(server.services.db)).toBe(before);
  });
});

describe.each(
  changing.filter((id) => operations[id].bodyRequired && !operations[id].bodyTypes.includes('text/plain')),
)('%s', (id) => {
  it('rejects every content type that a form can send', async () => {
    const before = await fingerprint(server.services.db);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await person.call(id, {
        path: path(id),
        body: '{"email":"victim@example.test"}',
        headers: { 'content-type': type },
      });
      expect(answer.status, `${id} with ${type}`).toBeGreaterThanOrEqual(400);
      expect(answer.status, `${id} with ${type}`).toBeLessThan(500);
    }
    expect(await fingerprint(server.services.db)).toBe(before);
  });
});
