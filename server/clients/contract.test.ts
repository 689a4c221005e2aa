import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/api/operations.gen';
import type { CvmRow } from '../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../drivers/vmm/fake';
import { fakeKmsRoot } from '../drivers/vmm/fakeKms';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  insertToken,
} from '../testing/cvmFixtures';
import type { TestApp, TestHost } from '../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../testing/server';
import { sshKey } from './testing/fixtures';
import { CLIENTS, versionOf, type Client, type ClientRequest } from './testing/clientRequest';
import { REQUESTS } from './testing/requests';

/**
 * The requests of the published clients, sent exactly as they send them; every reply is parsed as strictly as by the
 * client's own structs. The command line and the TypeScript SDK also run themselves in `*.docker.test.ts`.
 */
let server: TestServer;
let fake: FakeVmm;
let host: TestHost;
let token: string;
let who: { team_id: number; user_id: number };
/** Values for placeholders in requests: `{slug}`, `{other_image}`. */
let shared: Record<string, string>;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  host = await insertHost(db, { name: 'contract', url: fake.url });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await db
    .insertInto('os_images')
    .values({ name: 'dstack-0.6.1', slug: 'dstack-0.6.1-00000000', version: '0.6.1' })
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db,
  );
  const member = await server.register();
  who = await identityOf(db, member.email!);
  token = await insertToken(db, who);
  await db
    .updateTable('teams')
    .set({ max_cvms: 1000, max_vcpu: 1000, max_memory_mb: 1_000_000, max_disk_gb: 10_000 })
    .where('id', '=', who.team_id)
    .execute();
  shared = {
    slug: member.slug ?? '',
    family: 'cpu',
    chain: 'base',
    kms: host.kms.slug,
    other_image: 'dstack-0.6.1',
  };
});
afterAll(async () => {
  await server?.stop();
  await fake?.close();
});

interface Subject extends TestApp {
  cvm: CvmRow;
}

async function addCvm(state: 'running' | 'stopped' = 'running'): Promise<Subject> {
  const name = `contract${++count}`;
  const app = await insertApp(server.services.db, { ...who, host, name });
  const change = { name, status: state, desired: state };
  return { ...app, cvm: await insertCvm(server.services.db, { ...app, host, ...who, change }) };
}

/** The identifier of a CVM that each client's documentation uses. */
const named = (client: Client, { app, cvm }: Subject): string =>
  ({
    deploy: cvm.name,
    cli: `app_${app.app_id}`,
    typescript: cvm.vm_uuid,
    go: cvm.public_id,
    python: cvm.vm_uuid,
  })[client];

const valuesOf = (client: Client, subject: Subject): Record<string, string> => ({
  ...shared,
  cvm_id: named(client, subject),
  public_id: subject.cvm.public_id,
  vm_uuid: subject.cvm.vm_uuid,
  name: subject.cvm.name,
  new_name: `made${++count}`,
  ssh_key: sshKey(count % 200),
  app_id: subject.app.app_id,
  revision_id: subject.revision.public_id,
  compose_hash: subject.revision.compose_hash,
});

/** Replaces `{name}` by its value in every text of a body. */
const filled = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
function filledBody(body: unknown, values: Record<string, string>): unknown {
  return JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' ? filled(value, values) : value,
  );
}

async function send(request: ClientRequest, client: Client, values: Record<string, string>) {
  const { method, path } = operations[request.operation];
  const query = request.query === undefined ? '' : `?${filled(request.query, values)}`;
  const body = client === 'python' && request.python !== undefined ? request.python : request.body;
  const text = request.contentType !== undefined;
  const reply = await fetch(`${server.address}/api/v1${filled(path, values)}${query}`, {
    method: method.toUpperCase(),
    headers: {
      'x-api-key': token,
      'x-phala-version': versionOf(request, client),
      // All of them also send it without a body.
      'content-type': request.contentType ?? 'application/json',
    },
    ...(body === undefined ? {} : { body: text ? String(body) : JSON.stringify(filledBody(body, values)) }),
  });
  const raw = await reply.text();
  const isJson = (reply.headers.get('content-type') ?? '').includes('json');
  return {
    status: reply.status,
    headers: reply.headers,
    body: isJson && raw ? (JSON.parse(raw) as unknown) : raw,
  };
}

/** Sends the prerequisite request and adds its reply's values. */
async function prepared(request: ClientRequest, client: Client, values: Record<string, string>) {
  const before = REQUESTS.find(({ operation }) => operation === request.after);
  if (!before) return values;
  const { status, body } = await send(before, client, values);
  expect(status, JSON.stringify(body)).toBe(200);
  const { app_id, compose_hash } = body as { app_id: string; compose_hash: string };
  return { ...values, app_id, compose_hash };
}

const CASES = REQUESTS.flatMap((request) =>
  request.clients.map((client) => ({ client, version: versionOf(request, client), request })),
);

describe('a published client', () => {
  it.each(CASES)('$client with $version: $request.operation', async ({ client, version, request }) => {
    const values = await prepared(request, client, valuesOf(client, await addCvm(request.state)));
    const answer = await send(request, client, values);
    expect(answer.status, JSON.stringify(answer.body)).toBe(request.status ?? 200);
    expect(answer.headers.get('x-phala-version')).toBe(version);
    // A key that the server ignores would be an unfulfilled promise.
    expect(answer.headers.get('x-ignored-keys')).toBeNull();
    const read = request.reply?.(version).safeParse(answer.body);
    expect(read?.error?.issues ?? [], JSON.stringify(answer.body)).toEqual([]);
  });
});

describe.each(['go', 'python'] as const)('%s', (client) => {
  const find = (operation: ClientRequest['operation']): ClientRequest => {
    const found = REQUESTS.find((one) => one.operation === operation);
    if (!found) throw new Error(`no request of ${operation}`);
    return found;
  };

  it('reads an error at the top level and under detail', async () => {
    const values = { ...valuesOf(client, await addCvm()), cvm_id: 'cvm_nothing' };
    const { status, body } = await send(find('getCvm'), client, values);
    const error = { error_code: 'ERR-03-001', message: expect.any(String) };
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ ...error, detail: expect.objectContaining(error) }),
    ]);
  });

  it('fails on a taken name', async () => {
    const values = valuesOf(client, await addCvm());
    const { status, body } = await send(find('provisionCvm'), client, { ...values, new_name: values.name! });
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        error_code: 'ERR-01-004',
        details: expect.any(Array),
        suggestions: expect.any(Array),
      }),
    ]);
  });

  it('retries a change of a busy CVM', async () => {
    const subject = await addCvm();
    await insertOperation(server.services.db, subject.cvm);
    const answer = await send(find('updateCvmResources'), client, valuesOf(client, subject));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1']);
    expect(answer.body).not.toHaveProperty('error_code');
    expect(answer.body).toMatchObject({ detail: expect.anything(), code: 'ERR-00-016' });
  });

  it('clears a script with an empty body', async () => {
    const request = { ...find('updatePreLaunchScript'), body: '' };
    const answer = await send(request, client, valuesOf(client, await addCvm()));
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  });

  it('is refused with a version that the server does not know', async () => {
    const version = '2027-01-01' as never;
    const request = { ...find('getCurrentUser'), versions: { [client]: version } };
    const answer = await send(request, client, valuesOf(client, await addCvm()));
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ error_code: 'ERR-00-047' }),
    ]);
  });
});

it('parses a reply as strictly as the client: a number is no string', async () => {
  const request = REQUESTS.find(({ operation }) => operation === 'startCvm')!;
  const subject = await addCvm('stopped');
  const { body } = await send(request, 'go', valuesOf('go', subject));
  const accepts = (reply: object) => request.reply?.('2026-05-22').safeParse(reply).success;
  expect(accepts(body as object)).toBe(true);
  expect(accepts({ ...(body as object), id: subject.cvm.id })).toBe(false);
  expect(accepts({ ...(body as object), vcpu: '1' })).toBe(false);
});

it('covers every version', () => {
  expect(new Set(CASES.map(({ version }) => version))).toEqual(
    new Set(Object.values(CLIENTS).map(({ version }) => version)),
  );
});
