import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../server/config';
import { createDb, type Db } from '../../../server/db/core/client';
import { connectRunning } from '../../../server/db/core/embedded';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../server/testing/cvmFixtures';
import { expect, test, type Page } from '../browser';
import { registerOn, startOwnServer } from '../ownServer';
import { expectAccessible, expectNoSidewaysScroll, watchConsole } from '../support';

/** Evidence from real hardware, kept outside this repository: see console/lib/attestation/agreement.test.ts. */
const samples =
  process.env.ATTESTATION_SAMPLES ??
  fileURLToPath(new URL('../../../../shared/fixtures/attestation', import.meta.url));
const read = (name: string) => readFileSync(path.join(samples, name));
test.skip(!existsSync(samples), `no samples: nothing at ${samples}`);

test('a visitor verifies evidence from real hardware, and sees what a changed byte breaks', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  // A time when the sample's collateral was valid.
  await page.clock.setFixedTime(new Date('2025-06-20T00:00:00Z'));
  await page.goto('/explorer/verify');
  const choose = (name: string, text: string) =>
    page
      .getByLabel('Evidence file or quote')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  const verdict = page.getByRole('status');
  const checks = page.getByRole('list', { name: 'Checks' });
  const quote = read('tdx_quote').toString('hex');
  const collateral = JSON.parse(read('tdx_quote_collateral.json').toString('utf8')) as unknown;

  await choose('quote.json', JSON.stringify({ quote, collateral }));
  await expect(verdict).toContainText('Verified');
  await expect(verdict).toContainText('quote.json, verified in this browser at 2025-06-20');
  await page.getByText('What this doesn’t prove').click();
  await expectAccessible(page);

  // An offset in the guest's measurements.
  const at = 2 * (48 + 200);
  const changed = `${quote.slice(0, at)}${quote[at] === '0' ? '1' : '0'}${quote.slice(at + 1)}`;
  await choose('changed.json', JSON.stringify({ quote: changed, collateral }));
  await expect(verdict).toContainText('Not verified');
  await expect(checks.getByRole('listitem').first()).toContainText('Failed');

  // A guest's complete evidence without Intel's collateral: what can be checked passes, and nothing is green.
  await choose('guest.json', read('quote-report.json').toString('utf8'));
  await expect(verdict).toContainText('guest.json');
  await expect(page.locator('[data-tone="ok"]')).toHaveCount(0);
  await expect(checks.getByRole('listitem').filter({ hasText: 'Passed' }).first()).toBeVisible();
  await expect(checks).toContainText('GPU');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

interface Recorded {
  quote: string;
  event_log?: string;
  vm_config?: string;
  collateral?: unknown;
}
/** Recorded host reports, served without a live host. */
const recordings = (): Record<'early' | 'lite' | 'platform', Recorded> => {
  const parsed = (name: string) => JSON.parse(read(name).toString('utf8')) as Recorded;
  const { quote, event_log, vm_config } = parsed('quote-report.json');
  const lite = parsed('tdx-lite-getquote.json');
  return {
    early: { quote, event_log, vm_config },
    lite: { quote: lite.quote, event_log: lite.event_log, vm_config: lite.vm_config },
    platform: {
      quote: read('tdx_quote').toString('hex'),
      collateral: JSON.parse(read('tdx_quote_collateral.json').toString('utf8')),
    },
  };
};
/** Times when the certificates of the recorded chips are valid. */
const RECORDED_AT = { early: '2026-06-20', lite: '2026-06-20', platform: '2025-06-20' } as const;

/**
 * Publishes an app whose host recorded this and is gone. @returns its page and a function that records another
 * report
 */
async function publishRecorded(
  db: Db,
  who: { team_id: number; user_id: number },
  name: keyof typeof RECORDED_AT,
  given: Recorded,
) {
  const host = await insertHost(db, { name, kind: 'dstack_vmm', url: 'http://127.0.0.1:1' });
  const app = await insertApp(db, { ...who, host, name });
  const events = JSON.parse(given.event_log ?? '[]') as { event: string; event_payload: string }[];
  const valueOf = (event: string) => events.find((one) => one.event === event)?.event_payload;
  const [app_id = app.app.app_id, compose_hash = app.revision.compose_hash] = ['app-id', 'compose-hash'].map(
    valueOf,
  );
  await db.updateTable('apps').set({ app_id }).where('id', '=', app.app.id).execute();
  await db.updateTable('revisions').set({ compose_hash }).where('id', '=', app.revision.id).execute();
  const instance_id = valueOf('instance-id') ?? null;
  const change = { listed: true, status: 'stopped', desired: 'stopped', instance_id } as const;
  const cvm = await insertCvm(db, { ...app, host, change });
  const record = async (evidence: Recorded) => {
    await db.deleteFrom('evidence').where('cvm_id', '=', cvm.id).execute();
    const content = JSON.stringify({ chain: null, evidence: { ...evidence, simulated: false } });
    const { team_id } = who;
    await db
      .insertInto('evidence')
      .values({
        team_id,
        cvm_id: cvm.id,
        content_hash: Buffer.from(name),
        content,
        seen_at: new Date(RECORDED_AT[name]),
      })
      .execute();
  };
  await record(given);
  return { path: `/explorer/${app_id}`, record };
}

/** Flips one bit. */
const flipped = (hex: string, at: number) =>
  `${hex.slice(0, 2 * at)}${(Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16) ^ 1).toString(16).padStart(2, '0')}${hex.slice(2 * at + 2)}`;

const checksIn = (page: Page, word: string) =>
  page
    .getByRole('list', { name: 'Checks' })
    .getByRole('listitem')
    .filter({ has: page.getByText(word, { exact: true }) });

test('a visitor verifies recorded evidence from real hardware on an app’s page, and a changed byte never ends green', async ({
  browser,
}) => {
  const server = await startOwnServer({ LOCAL_TEEPOD: 'off' });
  const database = await connectRunning(loadConfig({ DATA_DIR: server.dataDir }), 'a browser test');
  try {
    const db = createDb(database.pool);
    const publisher = await browser.newPage();
    const who = await identityOf(db, await registerOn(server, publisher, 'publisher'));
    const recorded = recordings();
    const early = await publishRecorded(db, who, 'early', recorded.early);
    const lite = await publishRecorded(db, who, 'lite', recorded.lite);
    const platform = await publishRecorded(db, who, 'platform', recorded.platform);

    const page = await (await browser.newContext()).newPage();
    const complaints = watchConsole(page);
    const verdict = page.getByRole('status').filter({ hasText: 'Checked in this browser' });
    await page.goto(`${server.url}/explorer`);
    await page.getByRole('link', { name: 'early', exact: true }).click();

    // dstack 0.5 with a GPU: chip, quote and log hold; what a browser can't check about a GPU is an exception. The
    // recordings lack the guests' certificates, which hold their quotes elsewhere.
    const notIncluded = /certificates are valid.*a certificate that the evidence doesn’t include/;
    await expect(verdict).toContainText('as of 2026-06-20 00:00:00 UTC');
    await expect(verdict).toContainText('this is the last evidence on record');
    await expect(verdict).toContainText(notIncluded);
    for (const name of [
      'Quote signature',
      'Chip certificate chain',
      'Runtime events replay to RTMR3',
      'App ID',
    ])
      await expect(checksIn(page, 'Passed').filter({ hasText: name }).first()).toBeVisible();
    await expect(checksIn(page, 'Exception').filter({ hasText: 'GPU attestation' })).toBeVisible();
    await expect(checksIn(page, 'Skipped').filter({ hasText: 'Platform security updates' })).toBeVisible();
    await expect(checksIn(page, 'Failed')).toHaveText([notIncluded]);
    await expect(page.locator('[data-tone="ok"]')).toHaveCount(0);
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }

    // dstack 0.6 measures its OS image, which this cloud doesn't know.
    await page.goto(server.url + lite.path);
    await expect(verdict).toContainText('Not verified');
    await expect(
      checksIn(page, 'Passed').filter({ hasText: 'OS image matches MRTD and RTMR0 to 2' }),
    ).toBeVisible();
    await expect(checksIn(page, 'Failed')).toHaveText([/OS image is known/, notIncluded]);

    // A chip with Intel's statements of its time: the whole platform holds, but nothing is known about an app.
    await page.goto(server.url + platform.path);
    await expect(verdict).toContainText('Not verified');
    for (const name of ['Platform security updates', 'No certificate is revoked', 'TDX module is known'])
      await expect(checksIn(page, 'Passed').filter({ hasText: name })).toBeVisible();

    const { quote } = recorded.early;
    const again = page.getByRole('button', { name: 'Verify again' });
    const refused = async (path: string, record: (given: Recorded) => Promise<void>, given: Recorded) => {
      await record(given);
      await page.goto(server.url + path);
      await expect(again).toBeVisible();
      await expect(verdict).toContainText('Not verified');
      await expect(checksIn(page, 'Failed').filter({ hasNotText: notIncluded }).first()).toBeVisible();
      await expect(page.locator('[data-tone="ok"]')).toHaveCount(0);
    };
    // Offsets in the measurements, the runtime events, the signature and Intel's statements.
    for (const at of [48 + 200, 520, 640])
      await refused(early.path, early.record, { ...recorded.early, quote: flipped(quote, at) });
    const { event_log = '' } = recorded.early;
    await refused(early.path, early.record, {
      ...recorded.early,
      event_log: event_log.replace('"3763bc34552c', '"3763bc34552d'),
    });
    const collateral = recorded.platform.collateral as { tcb_info: string };
    await refused(platform.path, platform.record, {
      ...recorded.platform,
      collateral: { ...collateral, tcb_info: collateral.tcb_info.replace('UpToDate', 'UpToDatf') },
    });
    expect(complaints).toEqual([]);
  } finally {
    await database.stop();
    await server.stop();
  }
});
