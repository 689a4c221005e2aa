import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../../generated/openapi.json';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import {
  PASSWORD,
  eventually,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';
import { hostile, hostileText, valueOf, wellFormed, type Schema } from './schemaArbitrary';

/**
 * Requests generated from the document, valid and hostile, to every operation: each is answered with a documented
 * status, never with 500. FUZZ_RUNS sets the requests per operation, FUZZ_SEED repeats a run.
 */
const RUNS = Number(process.env.FUZZ_RUNS ?? 8);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_124);

/** Operations that end the session, remove the account or team needed by the others, or never end. */
const SKIPPED: ReadonlySet<string> = new Set<OperationId>([
  'changePassword',
  'deleteAccount',
  'deleteOtherSessions',
  'deleteSession',
  'deleteWorkspace',
  'deleteAdminWorkspace',
  'endAdminUserSessions',
  'leaveWorkspace',
  'streamEvents',
  'suspendAdminUser',
  'transferWorkspace',
  'viewAsAdminUser',
]);
const ids = (Object.keys(operations) as OperationId[]).filter((id) => !SKIPPED.has(id));

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  content?: Record<string, { schema?: Schema }>;
}
interface Documented {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

function resolve<T extends { $ref?: string }>(one: T): T {
  if (one.$ref === undefined) return one;
  const found = one.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  return resolve(found as T);
}

const documentedOf = (id: OperationId) =>
  (document.paths as unknown as Record<string, Record<string, Documented>>)[operations[id].path]?.[
    operations[id].method
  ];

let server: TestServer;
let admin: TestClient;
/** Existing identifiers, by path parameter. */
const known: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  admin = await server.register();
  const compose = 'services:\n  web:\n    image: nginx:alpine\n';
  const provision = await admin.call('provisionCvm', {
    body: { name: 'fuzzed', compose_file: { docker_compose_file: compose } },
  });
  const { app_id, compose_hash } = provision.body as { app_id: string; compose_hash: string };
  const created = await admin.call('createCvm', { body: { app_id, compose_hash } });
  const { vm_uuid, correlation_id } = created.body as { vm_uuid: string; correlation_id: string };
  await eventually('the CVM is running', async () => {
    const { body } = await admin.call('getOperation', { path: { correlation_id } });
    return body.state === 'succeeded';
  });
  Object.assign(known, {
    cvm_id: vm_uuid,
    vm_uuid,
    app_id,
    correlation_id,
    slug: admin.slug ?? '',
    container: 'web',
    family: 'cpu',
    chain: 'base',
    kms: 'phala',
    id: '1',
  });
});
afterAll(() => server?.stop());

interface Request {
  path: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

function requestFor(id: OperationId): Arbitrary<Request> {
  const { parameters = [], requestBody } = documentedOf(id) ?? { responses: {} };
  const all = parameters.map((one) => resolve(one));
  const path = fc.record(
    Object.fromEntries(
      all
        .filter((one) => one.in === 'path')
        .map(({ name, schema = {} }) => {
          const text = fc
            .oneof(hostileText, valueOf(schema, resolve).map(String))
            .map((value) => wellFormed(value) || 'x');
          const real = known[name];
          if (real === undefined) return [name, text];
          return [name, fc.oneof({ weight: 3, arbitrary: fc.constant(real) }, text)];
        }),
    ),
  );
  const query = fc.record(
    Object.fromEntries(
      all
        .filter((one) => one.in === 'query')
        .map(({ name, schema, content }) => [
          name,
          valueOf(schema ?? Object.values(content ?? {})[0]?.schema ?? {}, resolve).map((value) =>
            wellFormed(typeof value === 'string' && !content ? value : JSON.stringify(value)),
          ),
        ]),
    ),
    { requiredKeys: [] },
  );
  const json = requestBody?.content['application/json']?.schema;
  const body = json
    ? fc.oneof(
        { weight: 12, arbitrary: valueOf(json, resolve) },
        { weight: 1, arbitrary: hostile },
        { weight: 1, arbitrary: fc.constantFrom('', '{', '[]', '{"a":', '\u0000') },
      )
    : requestBody
      ? fc.string({ maxLength: 200, unit: 'binary' })
      : fc.constant(undefined);
  return fc.record({ path, query, body });
}

describe.each(ids)('%s', (id) => {
  it('answers any input as documented', async () => {
    const documented = Object.keys(documentedOf(id)?.responses ?? {});
    // The test client follows redirects to the console's pages.
    const allowed =
      documented.includes('303') || documented.includes('302') ? [...documented, '200'] : documented;
    await fc.assert(
      fc.asyncProperty(requestFor(id), async (request) => {
        const answer = await signedIn((client) =>
          client.call(id, { ...request, headers: { 'idempotency-key': crypto.randomUUID() } }),
        );
        const said = JSON.stringify(answer.body)?.slice(0, 500);
        expect(answer.status, `${id}: ${said}`).not.toBe(500);
        expect([...allowed, '404'], `${id}: ${said}`).toContain(String(answer.status));
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});

/** Signs in again if a request has ended the session, as some do. */
async function signedIn<A extends { status: number }>(ask: (client: TestClient) => Promise<A>): Promise<A> {
  const answer = await ask(admin);
  if (answer.status !== 401) return answer;
  const fresh = await server.anonymous.call('createSession', {
    body: { email: admin.email, password: PASSWORD },
  });
  const cookie = fresh.headers.getSetCookie().find((one) => one.includes('teehouse_session='));
  if (cookie) admin = admin.with({ cookie: cookie.split(';')[0] ?? '' });
  return answer;
}
