import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type Page } from '../browser';
import { openTeam, registerOn, startOwnServer } from '../ownServer';
import { expectAccessible, watchConsole } from '../support';

const composeOf = (tag: string) => `services:
  cache:
    image: valkey/valkey:${tag}@sha256:${'a'.repeat(64)}
    restart: unless-stopped
    environment:
      PASSWORD: \${PASSWORD}
`;

/** The operator's own template, in this version. */
async function writeTemplate(dataDir: string, version: string, tag: string, changes: readonly string[]) {
  const folder = join(dataDir, 'templates', 'test-cache');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'docker-compose.yml'), composeOf(tag));
  await writeFile(
    join(folder, 'template.yaml'),
    `name: Test cache
summary: A cache for a test.
description: It caches.
category: databases
version: ${version}
license: BSD-3-Clause
resources: { memory_mb: 1024, disk_gb: 10 }
inputs:
  - { key: PASSWORD, label: Password, secret: true, generate: 32 }
verify:
  - That it caches
changelog:
${changes.map((change) => `  - ${change}`).join('\n')}
`,
  );
}

/** The path of the team's only app. */
async function onlyApp(page: Page, slug: string, origin = ''): Promise<string> {
  const answer = await page.request.get(`${origin}/api/v1/apps`, { headers: { 'X-Workspace': slug } });
  const { dstack_apps } = (await answer.json()) as { dstack_apps: { app_id: string }[] };
  return `/${slug}/apps/${dstack_apps[0]?.app_id ?? ''}`;
}

test('an app from a template is updated to a newer version of it', async ({ page }) => {
  test.setTimeout(300_000);
  const complaints = watchConsole(page);
  const dataDir = await mkdtemp('/tmp/teehouse-e2e-templates-');
  const first = "{ version: 1.0.0, date: '2026-11-01', text: First version. }";
  const start = () => startOwnServer({ DATA_DIR: dataDir, LOCAL_TEEPOD_ENGINE: 'simulate' });
  await writeTemplate(dataDir, '1.0.0', '8.0', [first]);
  let server = await start();
  try {
    await registerOn(server, page, 'versions');
    const slug = await openTeam(server, page);
    await page.goto(`${server.url}/${slug}/launch?template=test-cache`);
    await page.getByRole('form', { name: 'Test cache' }).getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/deploy');
    await expect(page.getByText('From the template Test cache, version 1.0.0.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL('**/cvms/**');
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
    const app = await onlyApp(page, slug, server.url);
    await page.goto(`${server.url}${app}`);
    await expect(page.getByRole('link', { name: 'Test cache 1.0.0' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Test cache 1.1.0 is available' })).toHaveCount(0);

    await page.goto('about:blank');
    await server.stop();
    await writeTemplate(dataDir, '1.1.0', '8.1', [
      "{ version: 1.1.0, date: '2026-11-20', text: Valkey 8.1. }",
      first,
    ]);
    server = await start();
    await page.goto(`${server.url}${app}`);
    const panel = page.getByRole('region', { name: 'Test cache 1.1.0 is available' });
    await expect(panel).toContainText('Valkey 8.1.');
    await expect(panel).toContainText('valkey/valkey:8.1@sha256');
    await expectAccessible(page);
    await panel.getByRole('link', { name: 'Review update' }).click();
    await page.waitForURL('**/compose?template=1.1.0');
    await expect(page.getByText('Saved secrets stay. Nothing changes until you update.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText(
      'valkey/valkey:8.1@sha256',
    );
    await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('Test cache 1.1.0');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await expect(page).not.toHaveURL(/compose/);
    await page.goto(`${server.url}${app}`);
    await expect(page.getByRole('link', { name: 'Test cache 1.1.0' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Test cache 1.1.0 is available' })).toHaveCount(0);
    expect(complaints).toEqual([]);
  } finally {
    await page.goto('about:blank');
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
