import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { mockEvidence } from '../lib/attestation/testing/mockEvidence';
import { createMockPki } from '../lib/attestation/testing/mockPki';
import {
  deployInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerInBrowser,
  watchConsole,
} from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: httpd -f -p 80
    ports:
      - "80:80"
`;

/** The command, as somebody runs it who took the files away; its exit code is the answer. */
const attest = (...args: string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, ['dist/server/cli.js', 'attest', ...args], (_, out) =>
      resolve({ code: child.exitCode ?? -1, out }),
    );
  });

const verdict = (page: Page) => page.getByRole('status').filter({ hasText: 'run what it should' });
const checks = (page: Page) => page.getByRole('list', { name: 'Checks', exact: true });

const check = (page: Page, id: string) =>
  checks(page)
    .getByRole('listitem')
    .filter({ has: page.locator(`[data-check="${id}"]`) });

test('evidence of a CVM: simulated is never green, what fails comes first, and the same verifier runs without the console', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'proof');
  const cvm = await deployInBrowser(page, slug, { name: 'proved-app', compose: COMPOSE });

  await test.step('the local teepod is simulated, in word, colour and every check', async () => {
    await page.goto(`${cvm}/certificates`);
    await expect(verdict(page)).toContainText('Simulated');
    await expect(page.getByText('Local teepod, no hardware TEE.')).toBeVisible();
    await expect(page.locator('[data-state="simulated"]')).toBeVisible();
    await expect(checks(page).getByText('Passed', { exact: true })).toHaveCount(0);
    await expect(check(page, 'compose.hash')).toContainText('Adds up, simulated');
    await expect(page.getByRole('main').getByText('Verified', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('cell', { name: 'compose-hash' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('it is verified again by keyboard', async () => {
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

  await test.step('what was taken away is judged by the command alike', async () => {
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

  await test.step('on a phone nothing is pushed sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('its KMS, with a signature checked here', async () => {
    await page.goto(`${cvm}/kms`);
    await expect(page.getByText('Signed by the pinned root key')).toBeVisible();
    await expect(page.getByText('Keys from this KMS, simulated')).toBeVisible();
    await expect(page.getByText('Not on chain.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Who could read what' })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('evidence that another root signed fails, and the failure comes first', async () => {
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
    await expect(check(page, 'pck.chain')).toContainText('does not lead to a trusted root');
    await expect(check(page, 'quote.signature')).toContainText('Passed');
    await expect(page.getByRole('heading', { name: 'What was not verified' })).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/evidence');
  });

  await test.step('a stopped CVM shows what it gave last, as of then', async () => {
    await page.goto(cvm);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const dialog = page.getByRole('dialog');
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: /^Stop/ }).click();
    await expect(page.getByRole('main').getByText('Stopped', { exact: true }).first()).toBeVisible({
      timeout: 60_000,
    });
    await page.goto(`${cvm}/certificates`);
    await expect(page.getByText('Of an earlier time.')).toBeVisible();
    await expect(page.getByText(/The CVM is stopped\./)).toBeVisible();
    await expect(verdict(page)).toContainText('Simulated');
  });
  expect(complaints).toEqual([]);
});
