import { expect, test } from './browser';
import { expectAccessible, registerInBrowser } from './support';

test('a lost connection shows one banner, and pages recover automatically', async ({ page, context }) => {
  const { slug } = await registerInBrowser(page, 'traveler');
  const offline = page.getByText('You’re offline');
  const unreachable = page.getByText('Can’t reach the server');

  await expect(page.getByRole('heading', { level: 1, name: slug })).toBeVisible();

  await test.step('offline, with a click on a page that hasn’t loaded yet', async () => {
    await context.setOffline(true);
    await expect(offline).toBeVisible();
    await page.evaluate(() => document.documentElement.setAttribute('data-kept', ''));
    await page.getByRole('link', { name: 'Members' }).click();
    await expect(page).toHaveURL(new RegExp(`/${slug}`));
    await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
    await expectAccessible(page);
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
    await expect(offline).toHaveCount(0);
    // The page recovered in place, without a reload.
    await expect(page.locator('html')).toHaveAttribute('data-kept');
  });

  await test.step('a server that goes away and comes back', async () => {
    const cut = (url: URL) => /^\/(api|readyz)/.test(url.pathname);
    await page.route(cut, (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'API tokens' }).click();
    await expect(unreachable).toHaveCount(1);
    await expect(page.getByText('This page stopped working')).toHaveCount(0);
    await page.unroute(cut);
    await expect(unreachable).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeVisible();
    await expect(page.getByText('Couldn’t load this page')).toHaveCount(0);
  });
});

test('a page’s missing code is fetched again without reloading the page', async ({ page }) => {
  const { slug } = await registerInBrowser(page, 'broken');
  await expect(page.getByRole('heading', { level: 1, name: slug })).toBeVisible();
  await page.evaluate(() => document.documentElement.setAttribute('data-kept', ''));
  const failed: string[] = [];
  await page.route(/\/assets\/[^/]+\.js$/, (route) => {
    const url = route.request().url();
    // Fails each file once: a page can consist of several.
    if (failed.includes(url)) return route.continue();
    failed.push(url);
    return route.abort('connectionreset');
  });
  await page.getByRole('link', { name: 'Usage' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  expect(failed.length).toBeGreaterThan(0);
  await expect(page.locator('html')).toHaveAttribute('data-kept');
});
