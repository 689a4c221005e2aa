import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { permissions, problems } from '../../generated/api/permissions.gen';
import { fingerprint } from '../testing/fingerprint';
import { eventually, startTestServer, type TestClient, type TestServer } from '../testing/server';
import { documentedOf, exampleOf, resolve } from './fuzz/requests';
import type { Schema } from './fuzz/schemaArbitrary';

/**
 * Bad input for every operation, generated from the document, so a new operation is covered automatically. Each case
 * must be rejected with a documented status, code and field, and change nothing. Callers without a session or permission
 * are those of roles.test.
 */
const ids = Object.keys(operations) as OperationId[];

function bodyOf(id: OperationId): { schema: Schema; example: Record<string, unknown> } | null {
  const media = documentedOf(id).requestBody?.content['application/json'];
  return media ? { schema: resolve(media.schema), example: structuredClone(exampleOf(media) ?? {}) } : null;
}

/** Another team's value for each path parameter, or an unknown one. */
function strangersPath(id: OperationId, theirs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
      name as string,
      theirs[name as string] ?? 'unknown-thing',
    ]),
  );
}

let server: TestServer;
let admin: TestClient;
let member: TestClient;
const theirs: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  admin = await server.register();
  member = await server.register();
  const compose = 'services:\n  web:\n    image: nginx:alpine\n    ports: ["80:80"]\n';
  const provision = await admin.call('provisionCvm', {
    body: { name: 'their-app', compose_file: { docker_compose_file: compose } },
  });
  expect(provision.status, JSON.stringify(provision.body)).toBe(200);
  const { app_id, compose_hash } = provision.body as { app_id: string; compose_hash: string };
  const cvm = await admin.call('createCvm', { body: { app_id, compose_hash } });
  expect(cvm.status, JSON.stringify(cvm.body)).toBe(200);
  const made = cvm.body as { vm_uuid: string; correlation_id: string };
  // Idle, so that only the requests below can change anything.
  await eventually(
    'their CVM is running',
    async () =>
      (await admin.call('getOperation', { path: { correlation_id: made.correlation_id } })).body.state ===
      'succeeded',
  );
  Object.assign(theirs, {
    cvm_id: made.vm_uuid,
    vm_uuid: made.vm_uuid,
    app_id,
    correlation_id: made.correlation_id,
    slug: admin.slug ?? '',
    container: 'web',
    user_code: 'BCDF-GHJK',
    family: 'cpu',
    chain: 'base',
    kms: 'phala',
    id: '1',
    key_id: 'sshkey_0000000000000000',
  });
});
afterAll(() => server?.stop());

function expectDocumented(id: OperationId, answer: { status: number; body: unknown }, allowed: number[]) {
  const context = `${id} returned ${answer.status}: ${JSON.stringify(answer.body)?.slice(0, 400)}`;
  expect(allowed, context).toContain(answer.status);
  expect(Object.keys(documentedOf(id).responses).map(Number), context).toContain(answer.status);
  const body = answer.body as { code: keyof typeof problems; request_id: string; detail: unknown };
  expect(problems[body.code]?.status, context).toBe(answer.status);
  expect(body.request_id, context).toMatch(/^req_/);
  expect(body.detail, context).toBeTruthy();
  return body;
}

const isPublic = (id: OperationId) =>
  (permissions[operations[id].permission].roles as readonly string[]).includes('public');
const adminOnly = (id: OperationId) =>
  (permissions[operations[id].permission].roles as readonly string[]).every((role) =>
    role.startsWith('platform:'),
  );

const OWNED = ['cvm_id', 'app_id', 'correlation_id', 'slug', 'key_id'];
const owned = ids.filter(
  (id) =>
    !isPublic(id) &&
    !adminOnly(id) &&
    OWNED.some((name) => operations[id].path.includes(`{${name}}`)) &&
    id !== 'getAppEnvPubkey',
);

/** Parameters these requests need to be processed. */
const REQUIRED_QUERY: { [id in OperationId]?: Record<string, string> } = {
  getCvmModelServer: { port: '80' },
};

describe.each(owned)("%s with another team's id", (id) => {
  it('returns 404, as if it did not exist, and changes nothing', async () => {
    const before = await fingerprint(server.services.db);
    const answer = await member.call(id, {
      path: strangersPath(id, theirs),
      query: REQUIRED_QUERY[id],
      body: operations[id].bodyTypes.some((type) => type.startsWith('text/'))
        ? 'services:\n  a:\n    image: b\n'
        : bodyOf(id)?.example,
    });
    expectDocumented(id, answer, [404]);
    expect(JSON.stringify(answer.body)).not.toContain('their-app');
    expect(await fingerprint(server.services.db)).toBe(before);
  });
});

/** One fault at a time, for every field of every JSON body. */
interface BadBody {
  name: string;
  field: string | null;
  body: unknown;
  allowed: number[];
}

function badBodies(id: OperationId): BadBody[] {
  const found = bodyOf(id);
  if (!found) return [];
  const { schema, example } = found;
  const cases: BadBody[] = [
    { name: 'text that is not JSON', field: null, body: '{"name": ', allowed: [400] },
    { name: 'a number instead of an object', field: null, body: 7, allowed: [422] },
    {
      name: 'more bytes than allowed',
      field: null,
      body: JSON.stringify({ ...example, padding: 'x'.repeat(operations[id].bodyBytes || 65_536) }),
      allowed: [413],
    },
  ];
  if (schema.additionalProperties === false)
    cases.push({
      name: 'an unknown field',
      field: 'no_such_field',
      body: { ...example, no_such_field: 1 },
      allowed: [422],
    });
  for (const field of schema.required ?? []) {
    const { [field]: _, ...rest } = example;
    cases.push({ name: `no ${field}`, field, body: rest, allowed: [422] });
  }
  for (const [field, raw] of Object.entries(schema.properties ?? {})) {
    const property = resolve(raw);
    const types = ([] as unknown[]).concat(property.type ?? []);
    if (types.length === 0) continue;
    const wrong = types.includes('object') ? 'text' : { not: 'this' };
    cases.push({
      name: `${field} with another type`,
      field,
      body: { ...example, [field]: wrong },
      allowed: [422],
    });
    if (types.includes('string') && typeof property.maxLength === 'number' && property.maxLength < 100_000) {
      cases.push({
        name: `${field} one character too long`,
        field,
        body: { ...example, [field]: 'x'.repeat(property.maxLength + 1) },
        allowed: [422],
      });
    }
    if ((types.includes('integer') || types.includes('number')) && typeof property.maximum === 'number') {
      cases.push({
        name: `${field} above its maximum`,
        field,
        body: { ...example, [field]: property.maximum + 1 },
        allowed: [422],
      });
    }
    if (Array.isArray(property.enum))
      cases.push({
        name: `${field} outside its values`,
        field,
        body: { ...example, [field]: 'no-such-value' },
        allowed: [422],
      });
  }
  return cases;
}

// Only operations with a declared JSON body; lower limits of actions without a body don't apply.
const withBody = ids.filter((id) => bodyOf(id) !== null);

describe.each(withBody)('%s with a bad body', (id) => {
  it('returns code and field, and changes nothing', async () => {
    const caller = adminOnly(id) ? admin : member;
    const before = await fingerprint(server.services.db);
    for (const bad of badBodies(id)) {
      const path = strangersPath(id, { ...theirs, slug: caller.slug ?? '' });
      const answer = await caller.call(id, { path, body: bad.body });
      const body = expectDocumented(id, answer, bad.allowed);
      if (answer.status === 422 && bad.field) {
        const named = JSON.stringify(body.detail);
        expect(named, `${id}, ${bad.name}: ${named}`).toContain(bad.field);
      }
    }
    expect(await fingerprint(server.services.db), 'nothing changed').toBe(before);
  });
});

const withQuery = ids.filter(
  (id) => Object.values(operations[id].queryTypes).includes('number') && !operations[id].stream,
);

describe.each(withQuery)('%s with a bad query', (id) => {
  it('names the parameter', async () => {
    const caller = adminOnly(id) ? admin : member;
    for (const [name, type] of Object.entries(operations[id].queryTypes)) {
      if (type !== 'number') continue;
      const answer = await caller.call(id, {
        path: strangersPath(id, { ...theirs, slug: member.slug ?? '' }),
        query: { [name]: 'many' },
      });
      const body = expectDocumented(id, answer, [422]);
      expect(JSON.stringify(body.detail)).toContain(name);
    }
  });
});

it('every operation declares its responses and permission and has an example', () => {
  for (const id of ids) {
    const operation = documentedOf(id) as ReturnType<typeof documentedOf> & Record<string, unknown>;
    expect(operation['x-permission'], id).toBeTruthy();
    expect(operation['x-limits'], id).toBeTruthy();
    expect(
      Object.keys(operation.responses).some((status) => status >= '400'),
      id,
    ).toBe(true);
    const json = operation.requestBody?.content['application/json'];
    if (json)
      expect(json.examples ?? (json as { example?: unknown }).example, `${id} needs an example`).toBeTruthy();
  }
});
