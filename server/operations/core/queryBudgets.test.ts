import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../generated/api/operations.gen';
import type { Provision } from '../../../generated/api/types.gen';
import { insertApp, insertCvm, insertHost, insertOperation, type TestHost } from '../../testing/cvmFixtures';
import { countQueries, type QueryCounter } from '../../testing/queryCount';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/**
 * Statements per request for the most frequent operations: every console page's initial requests, its polling, and a
 * deployment by the published command line and SDK. A transaction includes its `begin` and `commit`. The count
 * must not grow with the number of rows.
 */
const BUDGETS: readonly [id: OperationId, statements: number][] = [
  // Every page of the console.
  ['getSession', 8],
  ['listNotifications', 5],
  ['listAnnouncements', 2],
  ['listOperations', 2],
  // A team's home page, its lists and their polling.
  ['listApps', 4],
  ['getAppsSummary', 2],
  ['getAppFilterOptions', 2],
  ['getStatusBatch', 2],
  ['listEvents', 2],
  ['listMembers', 3],
  ['listTokens', 2],
  ['listAuditEntries', 2],
  // An app and a CVM.
  ['getApp', 3],
  ['listAppCvms', 3],
  ['getCvm', 2],
  ['getCvmState', 2],
  ['listCvmOperations', 3],
  ['getCvmUsage', 4],
  ['getCvmMetrics', 6],
  // The published clients.
  ['getCurrentUser', 7],
  ['listCvmsPaginated', 3],
  ['listAvailableTeepods', 7],
  ['provisionCvm', 19],
  // Signing in.
  ['createSession', 19],
];
const MANY = 30;
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';

let server: TestServer;
let owner: TestClient;
let counter: QueryCounter;
let host: TestHost;
let team_id: number;
let user_id: number;
let path: Record<string, string>;
let vmUuids: string[];

async function addApps(count: number): Promise<void> {
  const { db } = server.services;
  for (let i = 0; i < count; i++) {
    const name = `app-${Math.random().toString(36).slice(2, 8)}`;
    const made = await insertApp(db, { team_id, user_id, host, name });
    const cvm = await insertCvm(db, { ...made, host, user_id });
    await insertOperation(db, cvm, { state: 'succeeded' });
    path = { slug: owner.slug ?? '', app_id: made.app.app_id, cvm_id: cvm.vm_uuid };
    vmUuids.push(cvm.vm_uuid);
  }
}

beforeAll(async () => {
  counter = countQueries();
  server = await startTestServer({ teepod: true });
  await server.register(); // The platform administrator.
  owner = await server.register();
  const { db } = server.services;
  ({ id: team_id } = await db
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', owner.slug)
    .executeTakeFirstOrThrow());
  ({ id: user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', owner.email ?? '')
    .executeTakeFirstOrThrow());
  host = await insertHost(db);
  vmUuids = [];
  await addApps(1);
});
afterAll(async () => {
  counter.stop();
  await server?.stop();
});

let deployments = 0;

async function bodyOf(id: OperationId): Promise<unknown> {
  if (id === 'createSession') return { email: owner.email, password: PASSWORD };
  if (id === 'getStatusBatch') return { vm_uuids: vmUuids };
  // A new name each time: a repeated one first releases what its earlier request reserved.
  const deployment = { name: `counted-${++deployments}`, compose_file: { docker_compose_file: COMPOSE } };
  if (id === 'provisionCvm') return deployment;
  if (id === 'createCvm') {
    const { body } = await owner.call('provisionCvm', { body: deployment });
    const { app_id, compose_hash } = body as Provision;
    return { app_id, compose_hash };
  }
  return undefined;
}

async function measure(id: OperationId): Promise<string[]> {
  const client = id === 'createSession' ? server.anonymous : owner;
  const request = async (headers: Record<string, string>) => {
    const answer = await client.with(headers).call(id, { path, body: await bodyOf(id) });
    expect(answer.status, `${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  };
  await request({}); // Fills the caches.
  return counter.during(request);
}

const shown = (statements: string[]) => statements.map((text) => text.slice(0, 160)).join('\n');

describe('statements per request', () => {
  const few = new Map<OperationId, number>();

  it.each(BUDGETS)('%s runs at most %i', async (id, budget) => {
    const statements = await measure(id);
    few.set(id, statements.length);
    expect(statements.length, shown(statements)).toBeLessThanOrEqual(budget);
  });

  it(`do not grow with ${MANY} apps and CVMs`, async () => {
    await addApps(MANY);
    for (const [id] of BUDGETS) {
      const statements = await measure(id);
      expect(statements.length, `${id}:\n${shown(statements)}`).toBe(few.get(id));
    }
  });

  // Last, because it adds starting CVMs and their events to the team.
  it('createCvm runs at most 19', async () => {
    const statements = await measure('createCvm');
    expect(statements.length, shown(statements)).toBeLessThanOrEqual(19);
  });
});
