import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDir } from '../../../server/tools/testRunner/scratch';
import { expect, test, type Page } from '../browser';
import { openTeam, registerOn, startOwnServer } from '../ownServer';
import { deployApp, expectAccessible, IMAGE, registerUser, watchConsole } from '../support';

const composeOf = (tag: string) => `services:
  cache:
    image: valkey/valkey:${tag}@sha256:${'a'.repeat(64)}
    restart: unless-stopped
    environment:
      PASSWORD: \${PASSWORD}
`;

/** Writes this version of the operator's own template. */
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

/** Returns the path of the team's only app. */
async function onlyApp(page: Page, slug: string, origin = ''): Promise<string> {
  const answer = await page.request.get(`${origin}/api/v1/apps`, { headers: { 'X-Workspace': slug } });
  const { dstack_apps } = (await answer.json()) as { dstack_apps: { app_id: string }[] };
  return `/${slug}/apps/${dstack_apps[0]?.app_id ?? ''}`;
}

test('an app from a template is updated to a newer template version', async ({ page }) => {
  const complaints = watchConsole(page);
  const dataDir = await scratchDir('e2e-templates');
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
    await expect(page.getByText('Based on the Test cache template, version 1.0.0.')).toBeVisible();
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
    await expect(page.getByText('Saved secrets are kept. Nothing changes until you update.')).toBeVisible();
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

    // A copy comes from the same version.
    await page.goto(`${server.url}/${slug}/launch?app=${app.split('/').at(-1)}`);
    await page.getByRole('form', { name: 'Template' }).getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/deploy');
    await expect(page.getByText('Based on the Test cache template, version 1.1.0.')).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await page.goto('about:blank');
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a team saves an app as a template, and deploys, edits and deletes it', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'keeper');
  await deployApp(page, slug, {
    name: 'kept-app',
    compose: `services:\n  web:\n    image: ${IMAGE}\n    command: httpd -f -p 80\n    environment:\n      GREETING: \${GREETING:-hello}\n`,
  });
  await page.goto(await onlyApp(page, slug));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Save as template…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as template' });
  await dialog.getByRole('button', { name: 'Save template' }).click();
  await expect(dialog.getByText('Describe what it runs.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Greeter');
  await dialog.getByRole('textbox', { name: 'Summary' }).fill('It greets.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save template' }).click();
  await page.waitForURL('**/launch?way=template&template=tpl_*');

  await page.goto(`/${slug}/launch`);
  await page
    .getByRole('region', { name: / templates$/ })
    .getByRole('link', { name: 'Greeter' })
    .click();
  const form = page.getByRole('form', { name: 'Greeter' });
  await expect(form.getByText('It greets.')).toBeVisible();
  await expect(form.getByLabel('Greeting')).toHaveAccessibleDescription('hello if left empty.');
  await expectAccessible(page);

  await test.step('editing it makes a new version', async () => {
    await page.getByRole('button', { name: 'Edit template' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Greeter' });
    await edit.getByRole('textbox', { name: 'Summary' }).fill('It greets everyone.');
    await edit.getByRole('textbox', { name: 'What changed' }).fill('A better summary.');
    await expectAccessible(page);
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Team template, version 2,')).toContainText('A better summary.');
  });

  await test.step('it fills the deploy form', async () => {
    await form.getByLabel('Greeting').fill('good morning');
    await form.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(page.getByText('Based on the Greeter template, version 2.')).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('greeter');
    await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText('httpd -f -p 80');
  });

  await test.step('it is deleted', async () => {
    await page.goto(`/${slug}/launch`);
    await page.getByRole('link', { name: 'Greeter' }).click();
    await page.getByRole('button', { name: 'Delete template' }).click();
    await page
      .getByRole('alertdialog', { name: 'Delete Greeter?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect(page.getByRole('form', { name: 'Greeter' })).toHaveCount(0);
    await page.goto(`/${slug}/launch`);
    await expect(page.getByRole('heading', { name: 'Launch', level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: / templates$/ })).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});
