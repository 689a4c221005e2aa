import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provision } from '../../../generated/api/types.gen';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
let server: TestServer;
let person: TestClient;

beforeAll(async () => {
  server = await startTestServer({ teepod: true, env: { LOCAL_TEEPOD_MAX_CVMS: '7' } });
  person = await server.register();
});
afterAll(() => server?.stop());

async function deploy(name: string) {
  const provision = await person.call('provisionCvm', {
    body: { name, compose_file: { docker_compose_file: COMPOSE } },
  });
  if (provision.status !== 200) return { step: 'provision', ...provision };
  const { app_id, compose_hash } = provision.body as Provision;
  const commit = await person.call('createCvm', {
    body: { app_id, compose_hash },
  });
  return { step: 'commit', ...commit };
}

describe('100 parallel deployments against capacity for 7', () => {
  it('run exactly 7, reject 93 with an error naming the limit and leave none half-created', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => deploy(`load-${i}`)));
    const made = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(made).toHaveLength(7);
    for (const answer of refused) {
      expect(answer.step).toBe('provision');
      expect(answer.body).toMatchObject({
        code: 'ERR-02-005',
        detail: { error_code: 'ERR-02-005', message: expect.stringContaining('CVM slots') },
      });
    }
    const { db } = server.services;
    await eventually(
      'the 7 are running',
      async () =>
        (await db.selectFrom('cvms').select('id').where('status', '=', 'running').execute()).length === 7,
      60,
    );
    const { rows } = await sql`select
      (select count(*)::int from cvms) as cvms, (select count(*)::int from apps) as apps, (select count(*)::int from revisions) as revisions,
      (select count(*)::int from provisions) as provisions, (select count(*)::int from reservations) as reservations,
      (select count(*)::int from operations where state = 'succeeded') as operations`.execute(db);
    expect(rows[0]).toEqual({
      cvms: 7,
      apps: 7,
      revisions: 7,
      provisions: 7,
      reservations: 7,
      operations: 7,
    });
    const teepod = await db.selectFrom('teepods').selectAll().executeTakeFirstOrThrow();
    const { vms } = await server.services.vmm.get(teepod).status({ brief: true });
    expect(vms).toHaveLength(7);
  });

  it('a deletion releases capacity once', async () => {
    const { db } = server.services;
    const one = await db.selectFrom('cvms').select(['vm_uuid']).executeTakeFirstOrThrow();
    // A CVM in the recycle bin still takes one of the host's slots.
    const gone = { path: { cvm_id: one.vm_uuid }, query: { permanently: true } };
    expect((await person.call('deleteCvm', gone)).status).toBe(204);
    await eventually(
      'it is gone',
      async () => (await person.call('getCvm', { path: { cvm_id: one.vm_uuid } })).status === 404,
    );
    const again = await Promise.all([deploy('next-a'), deploy('next-b'), deploy('next-c')]);
    expect(again.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('a second commit of the same provision returns the same CVM', async () => {
    const { db } = server.services;
    const some = await db
      .selectFrom('cvms')
      .select('vm_uuid')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    await eventually(
      'settled',
      async () =>
        (await db.selectFrom('operations').select('id').where('state', 'in', ['queued', 'running']).execute())
          .length === 0,
      60,
    );
    await person.call('deleteCvm', { path: { cvm_id: some.vm_uuid }, query: { permanently: true } });
    const provision = await person.call('provisionCvm', {
      body: { name: 'twice-app', compose_file: { docker_compose_file: COMPOSE } },
    });
    const { app_id, compose_hash } = provision.body as Provision;
    const answers = await Promise.all(
      [1, 2, 3].map(() => person.call('createCvm', { body: { app_id, compose_hash } })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => (answer.body as { vm_uuid: string }).vm_uuid)).size).toBe(1);
  });

  it('an Idempotency-Key replays the response instead of repeating the work, and is refused for another request', async () => {
    const body = { name: 'idem-app', compose_file: { docker_compose_file: COMPOSE } };
    const headers = { 'idempotency-key': 'key-1' };
    const before = await server.services.db
      .selectFrom('cvms')
      .select('vm_uuid')
      .where('deleted_at', 'is', null)
      .execute();
    const path = { cvm_id: before[0]?.vm_uuid ?? '' };
    await person.call('deleteCvm', { path, query: { permanently: true } });
    const first = await person.call('provisionCvm', { body, headers });
    const second = await person.call('provisionCvm', { body, headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await person.call('provisionCvm', { body: { ...body, name: 'other-app' }, headers });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'ERR-00-011' });
  });
});
