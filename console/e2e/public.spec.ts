import { expect, test, type Page } from './browser';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  onDatabase,
  PASSWORD,
  signIn,
  watchConsole,
} from './support';
import { layoutShift } from './walk';

/** The pages that visitors see: complete HTML, readable without a script, in every width and scheme. */

const PAGES: readonly [path: string, heading: string][] = [
  ['/', 'Run containers that nobody can look into'],
  ['/about', 'A cloud that can’t read what it runs'],
  ['/about/billing', 'Billing you can recompute'],
  ['/about/pricing', 'Pricing'],
  ['/cases', 'Use cases'],
  ['/cases/private-api-keys', 'Keep API keys away from the host'],
  ['/gpu-tee', 'GPUs inside the enclave'],
];
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

for (const colorScheme of ['light', 'dark'] as const)
  test(`public pages are accessible and fit every width, in ${colorScheme}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const complaints = watchConsole(page);
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(baseURL ?? '').origin) foreign.push(request.url());
    });
    for (const [path, title] of PAGES) {
      await page.goto(path);
      await expect(heading(page)).toHaveText(title);
      for (const width of [390, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
    }
    expect([complaints, foreign]).toEqual([[], []]);
    await context.close();
  });

test('public pages don’t move while they load', async ({ page }) => {
  for (const [path] of PAGES)
    expect([path, await layoutShift(page, path, () => heading(page).waitFor())]).toEqual([
      path,
      { sum: 0, moved: [] },
    ]);
});

test('public pages work without scripts', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, title] of PAGES) {
    await page.goto(path);
    await expect(heading(page)).toHaveText(title);
  }
  await page.goto('/about/pricing');
  await page.getByLabel('Running hours a month').fill('100');
  await page.getByRole('button', { name: 'Calculate' }).click();
  await expect(page.getByText('$5.80 while running')).toBeVisible();
  await context.close();
});

test('the calculator answers as one types, and its address can be shared', async ({ page, context }) => {
  const complaints = watchConsole(page);
  await page.goto('/about/pricing');
  await page.getByLabel('Size').selectOption('tdx.large');
  await page.getByLabel('Running hours a month').fill('100');
  await expect(page.getByText('$23.20 while running')).toBeVisible();
  await page.getByLabel('CVMs').fill('');
  await page.getByLabel('CVMs').fill('2');
  await expect(page.getByText('$46.40 while running')).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('$46.40 while running')).toBeVisible();
  await expect(other.getByLabel('CVMs')).toHaveValue('2');
  expect(complaints).toEqual([]);
});

test('a visitor without an account deploys a use case', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto('/cases/private-api-keys');
  await page.getByRole('link', { name: 'Deploy this' }).click();
  await page.waitForURL('**/login**');
  await page.getByRole('link', { name: 'Create one' }).click();
  const email = newEmail('case');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Check your e-mail')).toBeVisible();
  // The link in the mail leads back to signing in; the requested page is still the next one.
  await onDatabase('update users set email_verified_at = now() where email = $1', [email]);
  await page.goto('/launch?case=private-api-keys');
  await page.waitForURL('**/login**');
  await signIn(page, email);

  await expect(page.getByRole('combobox', { name: 'Use case' })).toHaveValue('private-api-keys');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/deploy');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('private-api-keys');
  await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText('EXCHANGE_KEY');
  expect(complaints).toEqual([]);
});
