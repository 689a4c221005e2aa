import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../generated/openapi.json';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import type { PlatformRole } from '../domain/core/caller';
import { hashToken, newToken, tokenPrefix } from '../domain/teams/token';
import { fingerprint } from '../testing/fingerprint';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../testing/server';

/**
 * The admin area by platform role, generated from the document: each operation by each role, signed in and with
 * tokens of every scope. Permitted callers reach the operation; others are rejected and change nothing. So are
 * callers who haven't confirmed recently, where required, and those viewing as another user. Expectations come from
 * the document as written, not from the server's own code.
 */
const ROLES = ['none', 'support', 'finance', 'infra', 'admin'] as const;
type Role = 'none' | PlatformRole;
const SCOPES = ['admin:*', 'admin:read', '*'] as const;
const table = document['x-permissions'] as Record<string, { roles: string[]; scope?: string }>;
const ids = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].tag === 'admin');

const entry = (id: OperationId) => table[operations[id].permission] ?? { roles: [] };
const grants = (permission: string, role: Role) =>
  table[permission]?.roles.includes(`platform:${role}`) ?? false;
const roleFits = (id: OperationId, role: Role) =>
  entry(id).roles.includes('signed_in') || grants(operations[id].permission, role);
function scopeFits(id: OperationId, scope: (typeof SCOPES)[number]): boolean {
  const { scope: wanted } = entry(id);
  if (wanted === undefined) return true;
  if (wanted === 'admin:read') return scope !== '*';
  return wanted === 'admin:*' && scope === 'admin:*';
}

type Paths = Record<string, Record<string, { 'x-step-up'?: boolean }>>;
const wantsStepUp = (id: OperationId) =>
  (document.paths as unknown as Paths)[operations[id].path]?.[operations[id].method]?.['x-step-up'] === true;

const FORBIDDEN = 'ERR-00-003';
const STEP_UP_REQUIRED = 'ERR-00-031';
const VIEWING_AS = 'ERR-08-001';

/** Sent like a change but isn't one; every page requests it. */
const SHOWN_TO_VIEWERS: OperationId[] = [
  'checkAppCvmsIsAllowed',
  'checkAppIsAllowed',
  'checkCvmIsAllowed',
  'getNotificationSettings',
  'getStatusBatch',
  'listAnnouncements',
  'listNotifications',
];
/** Ways to end viewing as another user. */
const WAYS_OUT = new Set<OperationId>(['endViewAs', 'deleteSession']);

interface Who {
  name: string;
  client: TestClient;
  may: (id: OperationId) => boolean;
}

let server: TestServer;
const everybody: Who[] = [];
/** Signed in, with a stale confirmation. */
const stale: Who[] = [];
/** Signed in, and viewing as a team member. */
const viewing: Omit<Who, 'may'>[] = [];
let viewed_slug: string;
const db = () => server.services.db;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register(); // platform admin as the first account, so not an example of a role
  const other = await server.register();
  viewed_slug = other.slug ?? '';
  const { id: viewed } = await db()
    .selectFrom('users')
    .select('id')
    .where('email', '=', other.email ?? '')
    .executeTakeFirstOrThrow();
  for (const role of ROLES) {
    const client = await server.register();
    const user = await db()
      .updateTable('users')
      .set({ platform_role: role === 'none' ? null : role })
      .where('email', '=', client.email ?? '')
      .returning('id')
      .executeTakeFirstOrThrow();
    const may = (id: OperationId) => roleFits(id, role);
    everybody.push({ name: `${role}, signed in`, client, may });
    const old = await anotherSession(client);
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 16 * 60_000) })
      .where('id', '=', old.session_id)
      .execute();
    stale.push({ name: `${role}, confirmed too long ago`, client: old.client, may });
    if (grants('admin.users.view_as', role)) {
      const looking = await anotherSession(client);
      await db()
        .insertInto('view_as')
        .values({
          session_id: looking.session_id,
          user_id: viewed,
          staff_user_id: user.id,
          reason: 'to see what they see',
          expires_at: new Date(Date.now() + 24 * 3_600_000),
        })
        .execute();
      viewing.push({ name: `${role}, viewing as another user`, client: looking.client });
    }
    for (const scope of SCOPES)
      everybody.push({
        name: `${role}, with a token for ${scope}`,
        client: server.anonymous.with({ 'x-api-key': await insertToken(user.id, scope) }),
        may: (id) => roleFits(id, role) && scopeFits(id, scope),
      });
  }
});
afterAll(() => server?.stop());

/** From another machine. */
async function anotherSession(person: TestClient): Promise<{ client: TestClient; session_id: number }> {
  const answer = await server.anonymous.call('createSession', {
    body: { email: person.email, password: PASSWORD },
  });
  const { id } = await db()
    .selectFrom('sessions')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { client: server.anonymous.with({ cookie: sessionCookieOf(answer) ?? '' }), session_id: id };
}

async function insertToken(user_id: number, scope: string): Promise<string> {
  const token = newToken('api');
  const { team_id } = await db()
    .selectFrom('memberships')
    .select('team_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  await db()
    .insertInto('api_tokens')
    .values({
      public_id: `tok_${randomUUID().slice(0, 16)}`,
      team_id,
      user_id,
      name: scope,
      token_hash: hashToken(token),
      token_prefix: tokenPrefix(token),
      scopes: [scope],
    })
    .execute();
  return token;
}

/** Targets nothing, with an invalid body: permitted callers get an error, and nothing changes. */
const harmless = (id: OperationId) => ({
  path: Object.fromEntries(
    Object.entries(operations[id].pathTypes).map(([name, type]) => [
      name,
      type === 'number' ? 2_000_000_000 : 'no-such-thing',
    ]),
  ),
  ...(operations[id].body ? { body: 7 } : {}),
});
const isHarmless = (id: OperationId) =>
  operations[id].method === 'get' ||
  operations[id].body !== null ||
  Object.keys(operations[id].pathTypes).length > 0;

describe.each(ids)('%s', (id) => {
  it("is open to its permission's roles, and to their tokens within scope", async () => {
    await changesNothing(async () => {
      for (const { name, client, may } of everybody)
        if (!may(id)) await expectRefusal(name, client, FORBIDDEN);
    });
    for (const { name, client, may } of everybody) {
      if (!may(id) || !isHarmless(id) || operations[id].stream) continue;
      unchanged = undefined;
      const { status, body } = await client.call(id, harmless(id));
      expect([401, 403, 500], described(name, status, body)).not.toContain(status);
    }
  });

  it('requires a recent confirmation where declared', async () => {
    await changesNothing(async () => {
      for (const { name, client, may } of stale)
        if (!may(id)) await expectRefusal(name, client, FORBIDDEN);
        else if (wantsStepUp(id)) await expectRefusal(name, client, STEP_UP_REQUIRED);
    });
  });

  it('is closed while viewing as another user', async () => {
    await changesNothing(async () => {
      for (const { name, client } of viewing) await expectRefusal(name, client, VIEWING_AS);
    });
  });

  const described = (name: string, status: number, body: unknown) =>
    `${id} by ${name} returned ${status}: ${JSON.stringify(body)?.slice(0, 300)}`;

  async function expectRefusal(name: string, client: TestClient, wanted: string): Promise<void> {
    const { status, body } = await client.call(id, harmless(id));
    const { code } = body as { code?: string };
    expect([status, code], described(name, status, body)).toEqual([403, wanted]);
  }
});

/** The database after the last rejected request; unknown once a permitted one was sent. */
let unchanged: string | undefined;

async function changesNothing(requests: () => Promise<void>): Promise<void> {
  const before = unchanged ?? (await fingerprint(db()));
  await requests();
  unchanged = await fingerprint(db());
  expect(unchanged, 'a rejected request changes nothing').toBe(before);
}

it('viewing as another user changes nothing and shows none of their private data', async () => {
  const answered: string[] = [];
  const [{ client }] = viewing as [(typeof viewing)[number]];
  for (const id of Object.keys(operations) as OperationId[]) {
    const { method, tag, stream } = operations[id];
    const alone = method !== 'get' || entry(id).scope === 'session';
    if (tag === 'admin' || stream || !alone || entry(id).roles.includes('public') || WAYS_OUT.has(id))
      continue;
    const asked = harmless(id);
    if ('slug' in asked.path) asked.path.slug = viewed_slug;
    const { body } = await client.call(id, asked);
    if ((body as { code?: string } | undefined)?.code !== VIEWING_AS) answered.push(id);
  }
  expect(answered.sort()).toEqual(SHOWN_TO_VIEWERS);
});

it('documents API keys only for operations that some token may call', () => {
  const wrong = (Object.keys(operations) as OperationId[]).filter((id) => {
    const { method, path, permission } = operations[id];
    const { security = document.security } = (
      document.paths as unknown as Record<string, Record<string, { security?: object[] }>>
    )[path]![method]!;
    const forKeys = security.some((way) => Object.hasOwn(way, 'api_key'));
    return forKeys && table[permission]?.scope === 'session';
  });
  expect(wrong).toEqual([]);
});
