import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AdminAiGateway, Problem } from '../../../generated/api/types.gen';
import { startBooks } from '../../jobs/billing/testing/books';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { identityOf, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/* Placement of AI gateways, and cleanup after failed deployments. */

let server: TestServer;
let fake: FakeVmm;
let admin: TestClient;
let team_id: number;
let host: TestHost;
const PRODUCTION = 'dstack-0.6.0';
const DEVELOPMENT = 'dstack-dev-0.6.1';

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', BILLING_ENFORCEMENT: 'on' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  admin = await server.register('admin@example.test');
  ({ team_id } = await identityOf(db, admin.email!));
  await (await startBooks(server.services)).topUp(team_id, 10_000_000);
  host = await insertHost(db, { url: fake.url, kind: 'dstack_vmm' });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await db
    .insertInto('os_images')
    .values({
      name: DEVELOPMENT,
      slug: DEVELOPMENT,
      version: '0.6.1',
      is_dev: true,
      // Recommended by an administrator, but still not allowed for gateways.
      state: 'recommended',
    })
    .execute();
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});
beforeEach(async () => {
  const { db } = server.services;
  await sql`update cvms set deleted_at = now(), status = 'deleted'`.execute(db);
  await sql`delete from reservations`.execute(db);
  await sql`delete from balance_holds`.execute(db);
  await offer(PRODUCTION, DEVELOPMENT);
});

/** Sets the host's images to exactly these. */
async function offer(...names: string[]): Promise<void> {
  const { db } = server.services;
  await db.deleteFrom('teepod_os_images').where('teepod_id', '=', host.teepod.id).execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select ${host.teepod.id}, id from os_images where name in (${sql.join(names)})`.execute(db);
}

let count = 0;
async function add(): Promise<number> {
  const image = `registry.example.com/private-ai-gateway@sha256:${'a1'.repeat(32)}`;
  const body = { name: `tee-${(count += 1)}`, url: 'https://ai.example.com', image };
  const added = await admin.call('createAdminAiGateway', { body });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return (added.body as AdminAiGateway).id;
}
const deploy = async (id: number, more: object = {}) => {
  const reply = await admin.call('deployAdminAiGateway', {
    path: { id },
    body: { team_id, instance_type: 'tdx.small', ...more },
  });
  const { message, details } = reply.body as unknown as Problem;
  return { status: reply.status, message, field: details?.[0]?.field };
};
/** Capacity and funds that the team's deployments hold. */
async function held() {
  const { db } = server.services;
  const reservations = await db.selectFrom('reservations').select('id').execute();
  const holds = await db.selectFrom('balance_holds').select('amount_micros').execute();
  const open = await db.selectFrom('provisions').select('id').where('committed_at', 'is', null).execute();
  return { reservations: reservations.length, holds: holds.length, provisions: open.length };
}

it('boots a production image, even where a development image is recommended', async () => {
  const id = await add();
  expect(await deploy(id)).toMatchObject({ status: 200 });
  const { os_image } = await server.services.db
    .selectFrom('cvms as v')
    .innerJoin('ai_gateways as g', 'g.deployed_cvm_id', 'v.id')
    .select('v.os_image')
    .where('g.id', '=', id)
    .executeTakeFirstOrThrow();
  expect(os_image).toBe(PRODUCTION);
});

it('is refused if only development images are available', async () => {
  await offer(DEVELOPMENT);
  expect(await deploy(await add())).toMatchObject({
    status: 400,
    message: 'The hosts available to your team only have development OS images.',
  });
  expect(await held()).toEqual({ reservations: 0, holds: 0, provisions: 0 });
});

it('leaves no capacity reserved on a host whose apps are registered on a chain', async () => {
  const { db } = server.services;
  const { id: kms_id } = host.kms;
  await sql`update kms set type = 'base', chain_id = 31337, kms_contract_address = ${`0x${'1'.repeat(40)}`} where id = ${kms_id}`.execute(
    db,
  );
  await sql`update nodes set device_id = ${'d1'.repeat(32)} where id = ${host.teepod.node_id}`.execute(db);
  try {
    expect(await deploy(await add())).toMatchObject({ status: 422, field: 'teepod_id' });
    expect(await held()).toEqual({ reservations: 0, holds: 0, provisions: 0 });
  } finally {
    await sql`update kms set type = 'phala', chain_id = null, kms_contract_address = null where id = ${kms_id}`.execute(
      db,
    );
  }
});

it('releases capacity and funds when its last step fails, so another can follow', async () => {
  const { db } = server.services;
  const id = await add();
  await sql
    .raw(
      `create function fail_deployment() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
       create trigger fail_deployment before update of deployed_cvm_id on ai_gateways
         for each row execute function fail_deployment()`,
    )
    .execute(db);
  expect((await deploy(id)).status).toBe(500);
  await sql.raw('drop function fail_deployment cascade').execute(db);
  expect(await held()).toEqual({ reservations: 0, holds: 0, provisions: 0 });
  // The team's quota allows one CVM; a different name works too.
  await db.updateTable('teams').set({ max_cvms: 1 }).where('id', '=', team_id).execute();
  expect(await deploy(id, { name: 'gateway-again' })).toMatchObject({ status: 200 });
  expect(await held()).toEqual({ reservations: 1, holds: 1, provisions: 0 });
});
