import { mkdir, rm, writeFile } from 'node:fs/promises';
import { scratchDir } from '../../../server/tools/testRunner/scratch';
import { expect, test } from '../browser';
import { startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, expectNoSidewaysScroll, watchConsole } from '../support';

/** The public site of an operator who fills DATA_DIR/site. */
let server: OwnServer;
let dataDir: string;

test.beforeAll(async () => {
  dataDir = await scratchDir('e2e-site');
  const put = (name: string, text: string) => writeFile(`${dataDir}/site/${name}`, text);
  await mkdir(`${dataDir}/site`);
  await put(
    'site.yaml',
    `brand: Acme Cloud
support: help@acme.test
hide: [/gpu-tee]
texts: { /: { title: Private by default } }
`,
  );
  await put(
    'terms.md',
    `# Terms of service

These terms hold for **everyone** who uses the ${'long'.repeat(60)} cloud.

## Rules

1. Be kind.
2. Pay for what you use, as [the prices](/about/pricing) say.

### Contact

Acme Ltd.\\
1 Main Street
`,
  );
  server = await startOwnServer({ DATA_DIR: dataDir, LOCAL_TEEPOD: 'off' });
});
test.afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`a visitor reads the operator’s terms, in ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const complaints = watchConsole(page);
    await page.goto(`${server.url}/`);
    await expect(page).toHaveTitle('Acme Cloud · Confidential VMs for Docker Compose');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Private by default');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Acme Cloud' })).toBeVisible();
    await expect(
      page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'GPUs' }),
    ).toHaveCount(0);
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText('Acme Cloud runs Docker Compose apps in confidential VMs.');
    await expect(footer.getByRole('link', { name: 'Support' })).toHaveAttribute(
      'href',
      'mailto:help@acme.test',
    );
    await expectAccessible(page);

    await footer.getByRole('link', { name: 'Terms of service' }).click();
    await page.waitForURL('**/legal/terms');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service');
    await expect(page.getByRole('listitem').filter({ hasText: 'Be kind.' })).toBeVisible();
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/login');
    await expect(page).toHaveTitle('Sign in · Acme Cloud');
    await expect(page.getByRole('link', { name: 'Acme Cloud, home' })).toBeVisible();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    expect((await page.goto(`${server.url}/gpu-tee`))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    await context.close();
  });

test('the style sheet has every class that a page uses', async ({ page }) => {
  for (const path of ['/', '/about/billing', '/explorer', '/templates', '/legal/terms']) {
    await page.goto(server.url + path);
    const missing = await page.evaluate(async () => {
      const sheet = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href ?? '';
      const styles = await (await fetch(sheet)).text();
      const named = [...document.querySelectorAll('[class]')].flatMap((element) => [...element.classList]);
      return [...new Set(named)].filter((name) => !styles.includes(`.${name}`));
    });
    expect([path, missing]).toEqual([path, []]);
    await expect(page.locator('[class]').first()).toBeAttached();
  }
});
