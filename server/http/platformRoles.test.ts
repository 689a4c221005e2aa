import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../generated/openapi.json';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import type { PlatformRole } from '../domain/caller';
import { hashToken, newToken, tokenPrefix } from '../domain/token';
import { fingerprint } from '../testing/fingerprint';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/**
 * The admin area by platform role, generated from the document: each operation by each role, signed in and with tokens
 * of every width. Who may comes to the operation's own answer, who may not is refused and changes nothing. What is
 * expected is worked out here from `x-permissions` as written, not with the server's own code.
 */
const ROLES = ['none', 'support', 'finance', 'infra', 'admin'] as const;
type Role = 'none' | PlatformRole;
const SCOPES = ['admin:*', 'admin:read', '*'] as const;
const table = document['x-permissions'] as Record<string, { roles: string[]; scope?: string }>;
const ids = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].tag === 'admin');

const entry = (id: OperationId) => table[operations[id].permission] ?? { roles: [] };
const roleFits = (id: OperationId, role: Role) =>
  entry(id).roles.includes('signed_in') || entry(id).roles.includes(`platform:${role}`);
function scopeFits(id: OperationId, scope: (typeof SCOPES)[number]): boolean {
  const { scope: wanted } = entry(id);
  if (wanted === undefined) return true;
  if (wanted === 'admin:read') return scope !== '*';
  return wanted === 'admin:*' && scope === 'admin:*';
}

interface Who {
  name: string;
  client: TestClient;
  may: (id: OperationId) => boolean;
}

let server: TestServer;
const everybody: Who[] = [];
const db = () => server.services.db;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register(); // the first is platform admin by itself, and is nobody's example
  for (const role of ROLES) {
    const client = await server.register();
    const user = await db()
      .updateTable('users')
      .set({ platform_role: role === 'none' ? null : role })
      .where('email', '=', client.email ?? '')
      .returning('id')
      .executeTakeFirstOrThrow();
    everybody.push({ name: `${role}, signed in`, client, may: (id) => roleFits(id, role) });
    for (const scope of SCOPES)
      everybody.push({
        name: `${role}, with a token for ${scope}`,
        client: server.anonymous.with({ 'x-api-key': await insertToken(user.id, scope) }),
        may: (id) => roleFits(id, role) && scopeFits(id, scope),
      });
  }
});
afterAll(() => server?.stop());

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
      else expect([status, (body as { code?: string }).code], said).toEqual([403, 'ERR-00-003']);
    }
  });
});

it('nobody who is refused changes anything', async () => {
  const before = await fingerprint(db());
  for (const id of ids)
    for (const { client, may } of everybody) if (!may(id)) await client.call(id, harmless(id));
  expect(await fingerprint(db())).toBe(before);
});
