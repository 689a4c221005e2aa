import { expect, test, type Page } from './browser';
import { expectAccessible, registerUser, watchConsole } from './support';

/** The context aside: closed below 1440 px until opened, and every list fits beside it. */

const aside = (page: Page) => page.getByRole('complementary', { name: 'Context' });
const toggle = (page: Page, verb: 'Show' | 'Hide') => page.getByRole('button', { name: `${verb} context` });

/** Pixels by which tables overflow the page's main region. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const right = document.querySelector('main')!.getBoundingClientRect().right;
    return [...document.querySelectorAll('table')]
      .map((table) => Math.round(table.getBoundingClientRect().right - right))
      .filter((px) => px > 0);
  });

test('starts closed below 1440 px, remembers the choice, and lists fit beside it', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'aside');

  await test.step('a wide window shows it', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/${slug}/members`);
    await expect(aside(page)).toBeVisible();
  });

  await test.step('a narrower window starts without it and remembers that it was opened', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(aside(page)).toBeHidden();
    await expect(toggle(page, 'Show')).toHaveAttribute('aria-expanded', 'false');
    await toggle(page, 'Show').click();
    await expect(aside(page)).toBeVisible();
    await page.reload();
    await expect(aside(page)).toBeVisible();
    await expectAccessible(page);
    await toggle(page, 'Hide').click();
    await page.reload();
    await expect(toggle(page, 'Show')).toBeVisible();
    await expect(aside(page)).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(aside(page)).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  for (const isOpen of [false, true])
    await test.step(`every list fits with the aside ${isOpen ? 'open' : 'closed'}`, async () => {
      for (const path of [
        'members',
        'members?tab=roles',
        'members?tab=audit',
        'members?tab=webhooks',
        'tokens',
      ]) {
        await page.goto(`/${slug}/${path}`);
        await expect(
          page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Loading$/ }),
        ).toBeVisible();
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        if (isOpen && (await toggle(page, 'Show').isVisible())) await toggle(page, 'Show').click();
        await expect(aside(page)).toHaveCount(isOpen ? 1 : 0);
        expect(await overflow(page), path).toEqual([]);
      }
    });
  expect(complaints).toEqual([]);
});
