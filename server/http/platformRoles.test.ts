import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../generated/openapi.json';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import type { PlatformRole } from '../domain/caller';
import { hashToken, newToken, tokenPrefix } from '../domain/token';
import { fingerprint } from '../testing/fingerprint';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../testing/server';

/**
 * The admin area by platform role, generated from the document: each operation by each role, signed in and with tokens
 * of every width. Who may comes to the operation's own answer, who may not is refused and changes nothing; so are those
 * who have not shown for long that they are there, where that counts, and who looks as somebody else. What is expected is
 * worked out here from the document as written, not with the server's own code.
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

/** What is asked like a change and is none, and what every page asks for. */
const SHOWN_TO_VIEWERS: OperationId[] = [
  'checkAppCvmsIsAllowed',
  'checkAppIsAllowed',
  'checkCvmIsAllowed',
  'getNotificationSettings',
  'getStatusBatch',
  'listAnnouncements',
  'listNotifications',
];
/** The ways out of looking as somebody. */
const WAYS_OUT = new Set<OperationId>(['endViewAs', 'deleteSession']);

interface Who {
  name: string;
  client: TestClient;
  may: (id: OperationId) => boolean;
}

let server: TestServer;
const everybody: Who[] = [];
/** Signed in, and confirmed long ago. */
const stale: Who[] = [];
/** Signed in, and looking as a member of a team. */
const viewing: Omit<Who, 'may'>[] = [];
let viewed_slug: string;
const db = () => server.services.db;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register(); // the first is platform admin by itself, and is nobody's example
  const other = await server.register();
  viewed_slug = other.slug ?? '';
  const { id: somebody } = await db()
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
    stale.push({ name: `${role}, confirmed long ago`, client: old.client, may });
    if (grants('admin.users.view_as', role)) {
      const looking = await anotherSession(client);
      await db()
        .insertInto('view_as')
        .values({
          session_id: looking.session_id,
          user_id: somebody,
          staff_user_id: user.id,
          reason: 'to see what they see',
          expires_at: new Date(Date.now() + 600_000),
        })
        .execute();
      viewing.push({ name: `${role}, viewing as somebody`, client: looking.client });
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

/** As on another machine. */
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

/** Of nothing that is there, with a body that cannot be right: whoever may ask learns that, and nothing happens. */
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
  it('is for the roles of its permission, and for their tokens as far as they go', async () => {
    for (const { name, client, may } of everybody) {
      if (may(id) && (!isHarmless(id) || operations[id].stream)) continue;
      const { status, body } = await client.call(id, harmless(id));
      const said = `${id} by ${name} answered ${status}: ${JSON.stringify(body)?.slice(0, 300)}`;
      if (may(id)) expect([401, 403, 500], said).not.toContain(status);
      else expect([status, (body as { code?: string }).code], said).toEqual([403, FORBIDDEN]);
    }
  });

  it('asks who confirmed long ago to do it again, where it matters', async () => {
    for (const { name, client, may } of stale) {
      if (may(id) && !wantsStepUp(id)) continue; // as everybody
      const { status, body } = await client.call(id, harmless(id));
      const said = `${id} by ${name} answered ${status}: ${JSON.stringify(body)?.slice(0, 300)}`;
      expect([status, (body as { code?: string }).code], said).toEqual([
        403,
        may(id) ? STEP_UP_REQUIRED : FORBIDDEN,
      ]);
    }
  });

  it('is closed while one looks as somebody', async () => {
    for (const { name, client } of viewing) {
      const { status, body } = await client.call(id, harmless(id));
      const said = `${id} by ${name} answered ${status}: ${JSON.stringify(body)?.slice(0, 300)}`;
      expect([status, (body as { code?: string }).code], said).toEqual([403, VIEWING_AS]);
    }
  });
});

it('who looks as somebody changes nothing, and sees nothing that is that person alone', async () => {
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

it('nobody who is refused changes anything', async () => {
  const before = await fingerprint(db());
  for (const id of ids) {
    for (const { client, may } of [...everybody, ...stale]) if (!may(id)) await client.call(id, harmless(id));
    for (const { client } of viewing) await client.call(id, harmless(id));
  }
  expect(await fingerprint(db())).toBe(before);
}, 120_000);
