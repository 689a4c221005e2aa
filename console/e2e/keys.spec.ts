import { readFileSync } from 'node:fs';
import { expect, test, type Page } from './browser';
import { signInAs } from './staff';
import { expectAccessible, registerInBrowser, registerUser, watchConsole } from './support';

/** Keyboard shortcuts of every page, and verbs and recent places in the command palette. */

interface Document {
  components: { examples: Record<string, { value: Record<string, unknown> }> };
}
const { examples } = (JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document).components;

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const ready = (page: Page) => expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();

/**
 * Presses "g" and a letter until the page opens: on a busy machine the letter may come too late to count with the
 * "g".
 */
async function moveBy(page: Page, letter: string, url: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(url, { timeout: 2_000 });
  }).toPass();
}

/** Serves one app with a running CVM, for any matching search. */
async function serveApp(page: Page): Promise<{ searches: (string | null)[]; sent: string[] }> {
  const searches: (string | null)[] = [];
  const sent: string[] = [];
  const cvm = {
    ...examples.CvmDetail?.value,
    id: 'cvm_1',
    name: 'web-1',
    status: 'running',
    in_progress: false,
    operation: null,
  };
  const app = { ...examples.App?.value, name: 'web', cvms: [cvm], cvm_count: 1, current_cvm: cvm };
  await page.route(/\/api\/v1\/apps\?/, (route) => {
    const search = new URL(route.request().url()).searchParams.get('search');
    searches.push(search);
    const found = search === null || 'web-1'.includes(search) ? [app] : [];
    const total = found.length;
    return route.fulfill({ json: { dstack_apps: found, page: 1, page_size: 50, total, total_pages: 1 } });
  });
  await page.route(/\/api\/v1\/cvms\/cvm_1\/(shutdown|stop)$/, (route) => {
    sent.push(new URL(route.request().url()).pathname.split('/').at(-1)!);
    return route.fulfill({ json: cvm });
  });
  return { searches, sent };
}

test('opens pages with g and a letter, lists the keys, and turns them off', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'keys');
  await ready(page);

  await moveBy(page, 'm', `/${slug}/members`);
  await moveBy(page, 't', `/${slug}/tokens`);
  await moveBy(page, 'u', /\/usage/);
  await moveBy(page, 'g', /\/dashboard\/gpu-tee/);
  await moveBy(page, 't', `/${slug}/tokens`);

  await page.keyboard.press('?');
  await expect(help(page)).toContainText('API tokens');
  await expectAccessible(page);
  // Holding a key repeats it; that isn't "g" followed by the letter g.
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await page.keyboard.down('g');
  await page.keyboard.down('g');
  await page.keyboard.up('g');
  await page.keyboard.press('?');
  await expect(help(page)).toBeVisible();
  await expect(page).toHaveURL(`/${slug}/tokens`);
  // Shortcuts are off in a dialog.
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(`/${slug}/tokens`);
  await help(page).getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();

  await page.keyboard.press('?');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  await expect(help(page)).toBeHidden();
  await palette(page).getByRole('combobox').fill('keyboard shortcuts');
  await page.keyboard.press('Enter');
  await help(page).getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await moveBy(page, 'a', `/${slug}`);
  expect(complaints).toEqual([]);
});

test('the palette acts on the named CVM after confirmation, and lists recent places', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'verbs');
  const { searches, sent } = await serveApp(page);
  await page.goto(`/${slug}/members`);
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
  await page.goto(`/${slug}/tokens`);
  await ready(page);
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('option').first()).toHaveText('Members');
  await expect(palette(page).getByText('Recent', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`/cost?team=${slug}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Cost' })).toBeVisible();
  await page.goto(`/setup-billing?team=${slug}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
  await page.goto(`/${slug}/tokens`);
  await ready(page);
  await page.keyboard.press('Control+k');
  const recent = palette(page).getByRole('option');
  await expect(recent.nth(0)).toHaveText('Billing');
  await expect(recent.nth(1)).toHaveText('Cost');

  await palette(page).getByRole('combobox').fill('stop web-1');
  await expect.poll(() => searches.at(-1)).toBe('web-1');
  await expect(palette(page).getByRole('option', { name: 'Stop web-1' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(palette(page).getByRole('option', { name: 'Start web-1' })).toHaveCount(0);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Stop web-1?' });
  await expect(dialog).toContainText('addresses become unavailable');
  await expectAccessible(page);
  expect(sent).toEqual([]);
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(sent).toEqual(['shutdown']);

  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('stop web-1');
  await expect(palette(page).getByRole('option', { name: 'Stop web-1' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await dialog.getByRole('switch', { name: 'Force' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(sent).toEqual(['shutdown', 'stop']);

  // Typed immediately after a load, before the palette has loaded.
  await page.reload();
  await ready(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('stop');
  await expect(palette(page).getByRole('combobox')).toHaveValue('stop');
  await expect(palette(page).getByRole('option', { name: 'Stop web-1' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('open logs web-1');
  await expect(palette(page).getByRole('option', { name: 'Open logs of web-1' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('administrators cordon a host from the palette, after confirming', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  await page.goto('/admin');
  await ready(page);
  await moveBy(page, 'n', /\/admin\/infra\/nodes$/);
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('cordon local');
  await palette(page)
    .getByRole('option', { name: /^Cordon local/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: /Cordon/ });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/action=/);
  await page.keyboard.press('?');
  await expect(help(page)).toContainText('Teepods');
  expect(complaints).toEqual([]);
});

test('staff cordon and view as from the console’s palette, too', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const other = await browser.newPage();
  const { slug } = await registerUser(other, 'viewable');
  await other.close();
  await signInAs(page, 'admin');
  await page.goto('/dashboard');
  await ready(page);
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('cordon local');
  await expect(palette(page).getByRole('option', { name: /^Cordon local/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  // A host that accepts new CVMs can't be uncordoned. The other one shows that the search has finished.
  await page.route(/\/api\/v1\/admin\/teepods\?/, async (route) => {
    const response = await route.fetch();
    const [open] = (await response.json()) as Record<string, unknown>[];
    await route.fulfill({
      response,
      json: [open, { ...open, id: 999_999, name: 'locality', state: 'cordoned' }],
    });
  });
  await palette(page).getByRole('combobox').fill('uncordon loca');
  await expect(palette(page).getByRole('option', { name: 'Uncordon locality' })).toBeVisible();
  await expect(palette(page).getByRole('option', { name: /cordon/i })).toHaveCount(1);
  await palette(page).getByRole('combobox').fill(`view as ${slug}`);
  await palette(page)
    .getByRole('option', { name: new RegExp(`^View as ${slug}`) })
    .click();
  await expect(page).toHaveURL(/\/admin\/users\/\d+/);
  const dialog = page.getByRole('dialog', { name: /View as/ });
  await expect(dialog).toBeVisible();
  expect(complaints).toEqual([]);
});

test('“?” lists the keys on the sign-in page and on public pages', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await expect(help(page)).toContainText('Create an account');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await moveBy(page, 'c', '/register');

  await page.goto('/about');
  await page.keyboard.press('?');
  await expect(help(page)).toContainText('Explorer');
  await expectAccessible(page);
  await help(page).getByRole('checkbox', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(help(page)).toBeHidden();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await help(page).getByRole('checkbox', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await moveBy(page, 'p', '/about/pricing');
  await page.goto('/docs/errors');
  await page.keyboard.press('?');
  await expect(help(page)).toContainText('API reference');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);
});
