import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from './browser';
import { mockEvidence } from '../lib/attestation/testing/mockEvidence';
import { createMockPki } from '../lib/attestation/testing/mockPki';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
} from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: httpd -f -p 80
    ports:
      - "80:80"
`;

/** Runs the command on downloaded files; its exit code is the verdict. */
const attest = (...args: string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, ['dist/server/cli.js', 'attest', ...args], (_, out) =>
      resolve({ code: child.exitCode ?? -1, out }),
    );
  });

const verdict = (page: Page) => page.getByRole('status').filter({ hasText: 'running the expected code' });
const checks = (page: Page) => page.getByRole('list', { name: 'Checks', exact: true });

const check = (page: Page, id: string) =>
  checks(page)
    .getByRole('listitem')
    .filter({ has: page.locator(`[data-check="${id}"]`) });

test('verifies CVM evidence: simulated is never green, failures come first, and the command line agrees', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'proof');
  const cvm = await deployApp(page, slug, { name: 'proved-app', compose: COMPOSE });

  await test.step('the local teepod is marked as simulated in text, color and every check', async () => {
    await page.goto(`${cvm}/certificates`);
    await expect(verdict(page)).toContainText('Simulated');
    await expect(page.getByText('Local teepod, no hardware TEE.')).toBeVisible();
    await expect(page.locator('[data-state="simulated"]')).toBeVisible();
    await expect(checks(page).getByText('Passed', { exact: true })).toHaveCount(0);
    await expect(check(page, 'compose.hash')).toContainText('Passed (simulated)');
    await expect(page.getByRole('main').getByText('Verified', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('cell', { name: 'compose-hash' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('verifies again by keyboard', async () => {
    const again = page.getByRole('button', { name: 'Verify again' });
    await again.focus();
    const answer = page.waitForResponse((response) => response.url().endsWith('/evidence'));
    await page.keyboard.press('Enter');
    expect((await answer).status()).toBe(200);
    await expect(again).toBeEnabled();
    await expect(verdict(page)).toContainText('Simulated');
    const choice = page.getByRole('checkbox', { name: 'OutOfDate', exact: true });
    await choice.focus();
    await page.keyboard.press('Space');
    await expect(choice).toBeChecked();
  });

  await test.step('the command line gives downloaded evidence the same verdict', async () => {
    const take = async (name: string) => {
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name, exact: true }).click();
      return (await file).path();
    };
    const [evidence, policy] = [await take('Download evidence'), await take('Download policy')];
    expect(JSON.parse(await readFile(evidence, 'utf8'))).toMatchObject({ format: 'teehouse.evidence' });
    expect(JSON.parse(await readFile(policy, 'utf8'))).toMatchObject({
      accepted_tcb: expect.arrayContaining(['OutOfDate']),
    });
    const { code, out } = await attest(evidence, '--policy', policy);
    expect(code).toBe(2);
    expect(out).toMatch(/^SIMULATED/);
    await expect(page.getByText(/teehouse -- attest proved-app.*\.evidence\.json/)).toBeVisible();
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('shows its KMS, with the signature checked in the browser', async () => {
    await page.goto(`${cvm}/kms`);
    await expect(page.getByText('Signed by the root key on record')).toBeVisible();
    await expect(page.getByText('Keys from this KMS (simulated)')).toBeVisible();
    await expect(page.getByText('Not on-chain.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Data access' })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('evidence signed by another root fails, with the failure first', async () => {
    const pki = await createMockPki(Math.floor(Date.now() / 1000));
    const evidence = { ...(await mockEvidence(pki)), simulated: false };
    await page.route('**/evidence', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as Record<string, unknown>;
      await route.fulfill({ response: answer, json: { ...body, trust: 'unknown', evidence } });
    });
    await page.goto(`${cvm}/certificates`);
    await expect(verdict(page)).toContainText('Not verified');
    await expect(checks(page).getByRole('listitem').first()).toContainText('Failed');
    await expect(check(page, 'pck.chain')).toContainText('instead of a trusted root');
    await expect(check(page, 'quote.signature')).toContainText('Passed');
    await expect(page.getByRole('heading', { name: 'Not covered' })).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/evidence');
  });

  await test.step('a stopped CVM shows its last evidence with its time', async () => {
    await page.goto(cvm);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^Stop/ }).click();
    await expect(page.getByRole('main').getByText('Stopped', { exact: true }).first()).toBeVisible({
      timeout: 60_000,
    });
    await page.goto(`${cvm}/certificates`);
    await expect(page.getByText('Saved evidence.')).toBeVisible();
    await expect(page.getByText(/The CVM is stopped\./)).toBeVisible();
    await expect(verdict(page)).toContainText('Simulated');
  });
  expect(complaints).toEqual([]);
});
