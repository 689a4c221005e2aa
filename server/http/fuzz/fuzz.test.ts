import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import {
  PASSWORD,
  eventually,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';
import { document, documentedOf, requestFor, resolve } from './requests';
import { SeenValues } from './seenValues';

/**
 * Requests generated from the document, valid and hostile, to every operation: each gets a documented status, never
 * 500, and a body that fits its schema. FUZZ_RUNS sets the requests per operation, FUZZ_SEED starts another run.
 */
const RUNS = Number(process.env.FUZZ_RUNS ?? 6);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_124);
/** Every fourth request has hostile values, a tenth of its places. */
const HOSTILE_EVERY = 4;

/** Operations that end the session, remove the account or team needed by the others, or never end. */
const SKIPPED: ReadonlySet<string> = new Set<OperationId>([
  'changePassword',
  'deleteAccount',
  'deleteOtherSessions',
  'deleteSession',
  'deleteWorkspace',
  'deleteAdminWorkspace',
  'endAdminUserSessions',
  'getCvmState',
  'leaveWorkspace',
  'streamEvents',
  'suspendAdminUser',
  'transferWorkspace',
  'viewAsAdminUser',
]);

/** Reads and creations come first, so that later requests refer to what exists; deletions come last. */
function rank(id: OperationId): number {
  const { method, path } = operations[id];
  if (method === 'get') return path.includes('{') ? 2 : 0;
  if (method === 'delete') return 4;
  return path.includes('{') ? 3 : 1;
}
const ids = (Object.keys(operations) as OperationId[])
  .filter((id) => !SKIPPED.has(id))
  .toSorted((a, b) => rank(a) - rank(b));

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');
const inDocument = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as object;

const validators = new Map<string, ValidateFunction | null>();

/** Returns what checks the JSON body of an operation's reply; null if it has none. */
function validatorOf(id: OperationId, status: string): ValidateFunction | null {
  const key = `${id} ${status}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  const response = documentedOf(id).responses[status];
  const schema = response && resolve(response).content?.['application/json']?.schema;
  const made = schema ? ajv.compile(inDocument(schema)) : null;
  validators.set(key, made);
  return made;
}

let server: TestServer;
let admin: TestClient;
const seen = new SeenValues();

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
  const known = {
    cvm_id: vm_uuid,
    vm_uuid,
    app_id,
    compose_hash,
    correlation_id,
    slug: admin.slug ?? '',
    container: 'web',
    family: 'cpu',
    chain: 'base',
    kms: 'phala',
    current_password: PASSWORD,
  };
  for (const [name, value] of Object.entries(known)) seen.add(name, value);
});
afterAll(() => server?.stop());

describe.each(ids)('%s', (id) => {
  it('answers any input as documented', async () => {
    const { responses } = documentedOf(id);
    const allowed = [...Object.keys(responses), '404'];
    // The test client follows redirects to the console's pages.
    if (responses['303'] || responses['302']) allowed.push('200');
    for (let run = 0; run < RUNS; run++) {
      const hostility = run % HOSTILE_EVERY === 0 ? 1 : 0;
      const [request] = fc.sample(requestFor(id, seen, hostility), { numRuns: 1, seed: SEED + run });
      if (!request) throw new Error('no request was generated');
      const reply = await signedIn((client) =>
        client.call(id, { ...request, headers: { 'idempotency-key': crypto.randomUUID() } }),
      );
      const said = `${id} ${JSON.stringify(request).slice(0, 2000)}: ${JSON.stringify(reply.body)?.slice(0, 500)}`;
      expect(reply.status, said).not.toBe(500);
      expect(allowed, said).toContain(String(reply.status));
      const isJson = reply.headers.get('content-type')?.includes('json');
      const fits = isJson ? validatorOf(id, String(reply.status)) : null;
      if (fits && !fits(reply.body)) expect.fail(`${said} ${ajv.errorsText(fits.errors)}`);
      const { path } = operations[id];
      if (reply.status < 300)
        seen.read(reply.body, path.endsWith('}') ? path.replace(/[^/]+$/, '') : `${path}/`);
    }
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
