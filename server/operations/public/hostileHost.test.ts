import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questionOf } from '../../../console/lib/attestation/answer';
import { DEFAULT_CHOICES } from '../../../console/lib/attestation/expected';
import type { Tampering } from '../../../console/lib/attestation/testing/attacks';
import { createMockPki, type MockPki } from '../../../console/lib/attestation/testing/mockPki';
import { TAMPERINGS } from '../../../console/lib/attestation/testing/tamperings';
import type { Collateral, Report } from '../../../console/lib/attestation/types';
import { verifyEvidence } from '../../../console/lib/attestation/verify';
import { STATES } from '../../../console/ui/attestation/checkDisplay';
import type { PublicEvidence } from '../../../generated/api/types.gen';
import { saveCollateral } from '../../db/attestation/evidence';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { chipFamily } from '../../domain/attestation/chipFamily';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import {
  identityOf,
  insertHost,
  insertRevision,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { runningCvm } from '../../testing/hostedCvm';
import { type GuestEdits, raTlsGuest, type RaTlsGuest } from '../../testing/raTlsGuest';
import { startTestServer, type TestServer } from '../../testing/server';

/** The explorer's view of an app whose host lies. */

const NOW = Math.floor(Date.now() / 1000);
let server: TestServer;
let vmm: FakeVmm;
let pki: MockPki;
let host: TestHost;
let app: TestApp;
let cvm: CvmRow;
let guest: RaTlsGuest;

/** The records match the honest guest; the host serves this one, with fake Intel collateral. */
async function serve(edits: GuestEdits = {}): Promise<void> {
  const { db } = server.services;
  guest = await raTlsGuest(pki, edits);
  await db.updateTable('kms').set({ ca_pubkey: guest.ca_pubkey }).where('id', '=', host.kms.id).execute();
  await db.deleteFrom('collateral').execute();
  const family = chipFamily(guest.evidence.quote ?? '');
  if (family)
    await saveCollateral(db, {
      ...family,
      source: 'test',
      content: JSON.stringify(guest.evidence.collateral as Collateral),
      next_update: new Date(Date.now() + 86_400_000),
    });
}

async function ask(): Promise<PublicEvidence> {
  // A visitor is limited to 20 requests a minute.
  await sql`delete from rate_limits`.execute(server.services.db);
  const { status, body } = await server.anonymous.call('getPublicAppEvidence', {
    path: { app_id: guest.app_id },
  });
  expect(status).toBe(200);
  return body as PublicEvidence;
}

/** Verifies like the page in the visitor's browser, with the mock PKI's root in place of Intel's. */
async function verify(answer: PublicEvidence): Promise<Report> {
  const { evidence, now, policy } = await questionOf(answer, DEFAULT_CHOICES);
  return verifyEvidence(evidence, { now, policy, roots: [pki.rootPem] });
}

beforeAll(async () => {
  pki = await createMockPki(NOW);
  vmm = await startFakeVmm();
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  const owner = await server.register();
  const who = await identityOf(db, owner.email ?? '');
  host = await insertHost(db, { name: 'tdx-1', url: vmm.url, kind: 'dstack_vmm' });
  ({ app, cvm } = await runningCvm(server.services, { host, ...who, name: 'published' }));
  await serve();
  const { compose_hash, app_compose, app_id, instance_id, os_image_hash } = guest;
  await db.updateTable('apps').set({ app_id }).where('id', '=', app.app.id).execute();
  await db
    .updateTable('revisions')
    .set({ compose_hash, app_compose })
    .where('id', '=', app.revision.id)
    .execute();
  await db.updateTable('cvms').set({ instance_id, listed: true }).where('id', '=', cvm.id).execute();
  await db.updateTable('os_images').set({ os_image_hash }).where('name', '=', cvm.os_image).execute();
  vmm.on('/guest/Info', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(guest.info)),
  );
});
afterAll(async () => {
  await server?.stop();
  await vmm?.close();
});

it('verifies an honest host', async () => {
  await serve();
  const report = await verify(await ask());
  expect(report.checks.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(report.state).toBe('verified');
});

/** Certificates can't carry it, so it doesn't reach the visitor. */
const LOST = 'the preimage of another value';

it('a preimage does not reach the visitor', async () => {
  const row = TAMPERINGS.flatMap(([, rows]) => rows).find(({ what }) => what === LOST);
  const { tamper } = (await row?.attack(pki)) ?? {};
  expect(tamper).toBeDefined();
  await serve({ ...(tamper && { tamper }) });
  expect((await ask()).evidence?.event_log).not.toContain('preimage');
});

describe.each(TAMPERINGS)('never green: %s', (_group, rows) => {
  it.each<Tampering>(rows.filter(({ what }) => what !== LOST))('$what', async ({ attack, id }) => {
    const { edits, tamper } = await attack(pki);
    await serve({ ...edits, ...(tamper && { tamper }) });
    const report = await verify(await ask());
    expect(STATES[report.state].tone).not.toBe('ok');
    expect(report.state).not.toMatch(/^verified/);
    const failed = report.checks.filter(({ state }) => state === 'failed').map((check) => check.id);
    expect(failed).toContain(id);
  });
});

describe('never green', () => {
  it.each<[string, GuestEdits]>([
    ['the quote of another machine’s key', { measured: (all) => (all.reportData = new Uint8Array(64)) }],
    [
      'too many certificates around a genuine quote',
      { info: (info) => (info.app_cert = String(info.app_cert).repeat(2)) },
    ],
    ['no certificate', { info: (info) => (info.app_cert = '') }],
    ['the boast of a simulator', { info: (info) => (info.tcb_info = '{"simulated":true}') }],
    [
      'no measurements and another Compose file',
      { info: (info) => (info.tcb_info = '{"app_compose":"{}"}') },
    ],
  ])('%s', async (_, edits) => {
    await serve(edits);
    expect((await verify(await ask())).state).not.toMatch(/^verified/);
  });

  it('an empty answer', async () => {
    await serve({ info: (info) => Object.keys(info).forEach((key) => delete info[key]) });
    expect((await verify(await ask())).state).not.toMatch(/^verified/);
  });
});

describe('a version that was never published', () => {
  const change = (given: Partial<Pick<CvmRow, 'listed' | 'revision_id' | 'status'>>) =>
    server.services.db.updateTable('cvms').set(given).where('id', '=', cvm.id).execute();
  it('stays private if only its evidence is on record', async () => {
    const { db } = server.services;
    await serve();
    const { app_compose, compose_hash, evidence } = guest;
    await db.deleteFrom('published_revisions').execute();
    // While it was private, its team viewed its evidence; later the CVM was published with another version and
    // stopped.
    await change({ listed: false });
    const whole = JSON.stringify({
      chain: guest.info.app_cert,
      evidence: { ...evidence, simulated: false },
    });
    await db.deleteFrom('evidence').execute();
    await db
      .insertInto('evidence')
      .values({ team_id: cvm.team_id, cvm_id: cvm.id, content_hash: Buffer.from('x'), content: whole })
      .execute();
    const next = await insertRevision(db, {
      app: app.app,
      number: 2,
      name: 'published',
      compose: 'services: {}\n',
    });
    await change({ revision_id: next.id, listed: true, status: 'stopped' });
    const answer = await ask();
    expect(answer).toMatchObject({ source: null, evidence: null, certificate_chain: null });
    expect(JSON.stringify(answer)).not.toContain(JSON.stringify(app_compose).slice(1, -1));
    expect(JSON.stringify(answer)).not.toContain(compose_hash);

    // Nor is it shown while the guest still runs it.
    await change({ status: 'running' });
    expect(await ask()).toMatchObject({ is_online: true, source: null, evidence: null });

    // Once it is published, it is shown.
    await change({ revision_id: app.revision.id });
    expect(await ask()).toMatchObject({ source: 'guest', evidence: { app_compose } });
  });
});
