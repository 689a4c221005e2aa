import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../generated/openapi.json';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { newToken, hashToken, tokenPrefix } from '../domain/teams/token';
import type { PlatformRole, TeamRole } from '../domain/core/caller';
import { fingerprint } from '../testing/fingerprint';
import { eventually, startTestServer, type TestClient, type TestServer } from '../testing/server';

/**
 * Denied access, generated from the document: every operation by every role without permission, by another team's
 * owner, and with expired, revoked and narrower tokens. Each is rejected with the documented error and changes
 * nothing. Expectations come from `x-permissions` as written, not from the server's own code.
 */
const ROLES = ['viewer', 'member', 'billing', 'admin', 'owner'] as const satisfies readonly TeamRole[];
const table = document['x-permissions'] as Record<string, { roles: string[]; scope?: string }>;
const ids = (Object.keys(operations) as OperationId[]).filter((id) => !grants(id, 'public'));

function grants(id: OperationId, role: string): boolean {
  return table[operations[id].permission]?.roles.includes(role) ?? false;
}
const ofTeam = (id: OperationId) => ROLES.some((role) => grants(id, role));
const scopeOf = (id: OperationId) => table[operations[id].permission]?.scope;

let server: TestServer;
let owner: TestClient;
let stranger: TestClient;
let team_id: number;
const members = {} as Record<TeamRole, { client: TestClient; user_id: number }>;
const STAFF = ['support', 'finance', 'infra', 'admin'] as const satisfies readonly PlatformRole[];
const staff = {} as Record<PlatformRole, TestClient>;
const tokens = {} as Record<'all' | 'expired' | 'revoked' | 'profile' | 'nodes', string>;
const theirs: Record<string, string> = {};

const db = () => server.services.db;
const userId = async (email: string) =>
  (await db().selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;

beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  const admin = await server.register(); // platform admin, without a role here
  owner = await server.register();
  stranger = await server.register();
  const compose = 'services:\n  web:\n    image: nginx:alpine\n    ports: ["80:80"]\n';
  const provision = await owner.call('provisionCvm', {
    body: { name: 'guarded-app', compose_file: { docker_compose_file: compose } },
  });
  expect(provision.status, JSON.stringify(provision.body)).toBe(200);
  const { app_id, compose_hash } = provision.body as { app_id: string; compose_hash: string };
  const cvm = (await owner.call('createCvm', { body: { app_id, compose_hash } })).body as {
    vm_uuid: string;
    correlation_id: string;
  };
  await eventually(
    'the CVM is running',
    async () =>
      (await owner.call('getOperation', { path: { correlation_id: cvm.correlation_id } })).body.state ===
      'succeeded',
  );
  team_id = (
    await db().selectFrom('teams').select('id').where('slug', '=', owner.slug).executeTakeFirstOrThrow()
  ).id;
  for (const role of ROLES) {
    const client = await server.register();
    const user_id = await userId(client.email ?? '');
    await db().insertInto('memberships').values({ team_id, user_id, role, is_default: false }).execute();
    members[role] = { client: client.with({ 'x-workspace': owner.slug ?? '' }), user_id };
  }
  for (const platform_role of STAFF) {
    staff[platform_role] = await server.register();
    const user_id = await userId(staff[platform_role].email ?? '');
    await db().updateTable('users').set({ platform_role }).where('id', '=', user_id).execute();
  }
  tokens.all = await insertToken(['*'], {});
  tokens.expired = await insertToken(['*'], { expires_at: new Date(Date.now() - 60_000) });
  tokens.revoked = await insertToken(['*'], { revoked_at: new Date() });
  tokens.profile = await insertToken(['user:profile'], {});
  tokens.nodes = await insertToken(['nodes:*'], {});
  Object.assign(theirs, {
    cvm_id: cvm.vm_uuid,
    vm_uuid: cvm.vm_uuid,
    app_id,
    correlation_id: cvm.correlation_id,
    slug: owner.slug ?? '',
    container: 'web',
    user_code: 'BCDF-GHJK',
    family: 'cpu',
    chain: 'base',
    kms: 'phala',
    id: '1',
    key_id: 'sshkey_0000000000000000',
    user_id: await publicUserId(members.member.user_id),
    token_id: await publicTokenId(tokens.all),
  });
  void admin;
});
afterAll(() => server?.stop());

async function insertToken(
  scopes: string[],
  change: { expires_at?: Date; revoked_at?: Date },
): Promise<string> {
  const token = newToken('api');
  await db()
    .insertInto('api_tokens')
    .values({
      public_id: `tok_${randomUUID().slice(0, 16)}`,
      team_id,
      user_id: await userId(owner.email ?? ''),
      name: scopes.join(' '),
      token_hash: hashToken(token),
      token_prefix: tokenPrefix(token),
      scopes,
      expires_at: null,
      revoked_at: null,
      ...change,
    })
    .execute();
  return token;
}
const publicUserId = async (id: number) =>
  (await db().selectFrom('users').select('public_id').where('id', '=', id).executeTakeFirstOrThrow())
    .public_id;
const publicTokenId = async (token: string) =>
  (
    await db()
      .selectFrom('api_tokens')
      .select('public_id')
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()
  ).public_id;

/** A request that is valid as far as the document's examples allow. */
function request(id: OperationId) {
  const path = Object.fromEntries(
    [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      theirs[name] ?? 'unknown-thing',
    ]),
  );
  return { path, body: exampleBody(id) };
}

function exampleBody(id: OperationId): unknown {
  const spec = operations[id];
  if (spec.bodyTypes.some((type) => type.startsWith('text/'))) return 'services:\n  a:\n    image: b\n';
  const item = (document.paths as Record<string, Record<string, { requestBody?: Documented }>>)[spec.path]?.[
    spec.method
  ];
  const example = Object.values(item?.requestBody?.content['application/json']?.examples ?? {})[0];
  const name = example?.$ref?.split('/').at(-1);
  return name
    ? (document.components.examples as Record<string, { value: unknown }>)[name]?.value
    : example?.value;
}
interface Documented {
  content: Record<string, { examples?: Record<string, { $ref?: string; value?: unknown }> }>;
}

function expectProblem(
  id: OperationId,
  who: string,
  answer: { status: number; body: unknown },
  code: string[],
) {
  const said = answer.body as { code?: string; request_id?: string };
  const context = `${id} by ${who} returned ${answer.status}: ${JSON.stringify(said)?.slice(0, 300)}`;
  expect(code, context).toContain(said.code);
  expect(said.request_id, context).toMatch(/^req_/);
  expect(declaredBy(id), context).toContain(String(answer.status));
}

/** Statuses that the document declares. */
function declaredBy(id: OperationId): string[] {
  const { path, method } = operations[id];
  const item = (document.paths as Record<string, Record<string, { responses?: object }>>)[path]?.[method];
  return Object.keys(item?.responses ?? {});
}

/**
 * Team operations are open to staff acting as staff, as far as the permission table allows, and to no one who
 * merely claims to be.
 */
async function refusesStaff(id: OperationId): Promise<void> {
  const slug = owner.slug ?? '';
  const as_staff = { 'x-admin-workspace': slug, 'x-workspace': slug };
  for (const role of STAFF) {
    const answer = async (headers: Record<string, string>) => staff[role].with(headers).call(id, request(id));
    if (!grants(id, `platform:${role}`))
      expectProblem(id, `${role} as staff`, await answer(as_staff), [FORBIDDEN]);
    expectProblem(id, `${role} without the staff header`, await answer({ 'x-workspace': slug }), NOT_FOUND);
  }
  const viewer = await members.viewer.client.with(as_staff).call(id, request(id));
  expectProblem(id, 'a viewer who claims to be staff', viewer, [FORBIDDEN]);
  const token = server.anonymous.with({ 'x-api-key': tokens.all, ...as_staff });
  expectProblem(id, 'a token that claims to be staff', await token.call(id, request(id)), [FORBIDDEN]);
}

const UNAUTHENTICATED = 'ERR-00-001';
const INVALID_KEY = 'ERR-00-002';
const FORBIDDEN = 'ERR-00-003';
const NOT_FOUND = ['ERR-00-004', 'ERR-03-001', 'ERR-03-008'];

/** The database after the last operation, so that each is compared with the one before. */
let unchanged: string | undefined;

describe.each(ids)('%s', (id) => {
  it('is rejected for everyone without the permission, and changes nothing', async () => {
    const before = (unchanged ??= await fingerprint(db()));
    expectProblem(id, 'nobody', await server.anonymous.call(id, request(id)), [UNAUTHENTICATED]);
    for (const name of ['expired', 'revoked'] as const) {
      const answer = await server.anonymous.with({ 'x-api-key': tokens[name] }).call(id, request(id));
      expectProblem(id, `an ${name} token`, answer, [INVALID_KEY]);
    }
    const wanted = scopeOf(id);
    for (const [name, scopes] of [
      ['profile', ['user:profile']],
      ['nodes', ['nodes:*']],
    ] as const) {
      if (wanted === undefined || (scopes as readonly string[]).includes(wanted)) continue;
      const answer = await server.anonymous.with({ 'x-api-key': tokens[name] }).call(id, request(id));
      expectProblem(id, `a token for ${scopes.join(' ')}`, answer, [FORBIDDEN]);
    }
    if (wanted === 'session' || wanted?.startsWith('admin:')) {
      const answer = await server.anonymous.with({ 'x-api-key': tokens.all }).call(id, request(id));
      expectProblem(id, 'a token for everything', answer, [FORBIDDEN]);
    }
    if (!grants(id, 'signed_in'))
      for (const role of ROLES) {
        if (grants(id, role)) continue;
        const answer = await members[role].client.call(id, request(id));
        expectProblem(id, role, answer, [FORBIDDEN]);
      }
    if (ofTeam(id)) {
      const named = await stranger.with({ 'x-workspace': owner.slug ?? '' }).call(id, request(id));
      expectProblem(id, 'the owner of another team who names this one', named, NOT_FOUND);
    }
    if (ofTeam(id)) await refusesStaff(id);
    unchanged = await fingerprint(db());
    expect(unchanged, 'nothing changed').toBe(before);
  });
});

describe.each(ids.filter((id) => ofTeam(id) && !grants(id, 'viewer')))('%s', (id) => {
  it('is rejected from the next request after the role is removed, and accepted after it is restored', async () => {
    const { client, user_id } = members.admin;
    const highest: TeamRole = grants(id, 'admin') ? 'admin' : 'owner';
    const become = (role: TeamRole) =>
      db()
        .updateTable('memberships')
        .set({ role })
        .where('user_id', '=', user_id)
        .where('team_id', '=', team_id)
        .execute();
    // An invalid body: callers with permission get 422, and nothing happens.
    const probe = () => client.call(id, { ...request(id), ...(operations[id].body ? { body: 7 } : {}) });
    const harmless = operations[id].body !== null || operations[id].method === 'get';
    await become('viewer');
    expectProblem(id, 'a viewer who was an admin', await probe(), [FORBIDDEN]);
    await become(highest);
    if (harmless) {
      const answer = await probe();
      expect([401, 403], `${id} by ${highest} returned ${answer.status}`).not.toContain(answer.status);
    }
    await become('admin');
  });
});

it('a token is rejected from the next request after it is revoked or its owner removed', async () => {
  const by = (token: string) => server.anonymous.with({ 'x-api-key': token });
  const token = await insertToken(['*'], {});
  expect((await by(token).call('listApps')).status).toBe(200);
  await db()
    .updateTable('api_tokens')
    .set({ revoked_at: new Date() })
    .where('token_hash', '=', hashToken(token))
    .execute();
  expect((await by(token).call('listApps')).status).toBe(401);
});
