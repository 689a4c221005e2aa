import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
});
afterAll(() => server.stop());

const REQUIRED = (Object.keys(operations) as OperationId[]).filter((id) => {
  const { body, bodyRequired, nullIsAbsent } = operations[id];
  return body && bodyRequired && !nullIsAbsent;
});

it('a missing body is rejected where one is required', async () => {
  expect(REQUIRED).toEqual(
    expect.arrayContaining([
      'updateAccount',
      'updateNotificationSettings',
      'updateWorkspace',
      'uncordonAdminTeepod',
    ]),
  );
  for (const id of REQUIRED) {
    const path = Object.fromEntries(
      Object.entries(operations[id].pathTypes).map(([name, type]) => [
        name,
        name === 'slug' ? (admin.slug ?? '') : type === 'number' ? 1 : 'unknown-thing',
      ]),
    );
    for (const body of [undefined, '']) {
      const answer = await admin.call(id, { path, body });
      expect([id, body, answer.status, answer.body]).toMatchObject([
        id,
        body,
        422,
        { detail: [{ loc: ['body'], type: 'missing' }] },
      ]);
    }
  }
});

it('null is not a missing body', async () => {
  for (const id of ['syncGithubKeys', 'updateAccount'] as const) {
    const answer = await admin.call(id, { body: 'null' });
    expect([id, answer.status, answer.body]).toMatchObject([id, 422, { detail: [{ loc: ['body'] }] }]);
  }
});
