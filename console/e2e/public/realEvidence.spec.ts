import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../browser';
import { expectAccessible, watchConsole } from '../support';

/** Evidence of real hardware, kept outside of this repository: see console/lib/attestation/agreement.test.ts. */
const samples =
  process.env.ATTESTATION_SAMPLES ??
  fileURLToPath(new URL('../../../../shared/fixtures/attestation', import.meta.url));
const read = (name: string) => readFileSync(path.join(samples, name));
test.skip(!existsSync(samples), `no samples: nothing at ${samples}`);

test('a visitor verifies evidence of real hardware, and reads what a changed byte breaks', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  // The sample's collateral was valid then.
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

  // In the measurements of the guest.
  const at = 2 * (48 + 200);
  const changed = `${quote.slice(0, at)}${quote[at] === '0' ? '1' : '0'}${quote.slice(at + 1)}`;
  await choose('changed.json', JSON.stringify({ quote: changed, collateral }));
  await expect(verdict).toContainText('Not verified');
  await expect(checks.getByRole('listitem').first()).toContainText('Failed');

  // A guest's whole evidence, without Intel's collateral: what can be checked passes, and nothing is green.
  await choose('guest.json', read('quote-report.json').toString('utf8'));
  await expect(verdict).toContainText('guest.json');
  await expect(page.locator('[data-tone="ok"]')).toHaveCount(0);
  await expect(checks.getByRole('listitem').filter({ hasText: 'Passed' }).first()).toBeVisible();
  await expect(checks).toContainText('GPU');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});
