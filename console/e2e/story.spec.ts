import { expect, test } from './browser';
import {
  expectAccessible,
  IMAGE,
  makeLogsPublic,
  registerInBrowser,
  watchConsole,
  writeCompose,
} from './support';

const SECRET = `s3cr$t "quoted" \\ 🔐 ${Math.random().toString(36).slice(2)}`;
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    environment:
      - GREETING=\${GREETING}
    command: sh -c 'echo "the secret is $$GREETING"; exec httpd -f -p 80'
    ports:
      - "80:80"
    restart: unless-stopped
`;

test('a new user deploys a compose file with a secret and watches it start', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'stranger');

  await test.step('an empty team shows the first step', async () => {
    await expectAccessible(page);
    await page
      .getByRole('main')
      .getByRole('link', { name: /deploy/i })
      .first()
      .click();
    await page.waitForURL(`**/${slug}/deploy`);
  });

  await test.step('deploys', async () => {
    await page.getByLabel('Name', { exact: true }).fill('story-app');
    await writeCompose(page, COMPOSE);
    // The form suggests the variable name from the Compose file.
    await page.getByRole('button', { name: 'Add variable', exact: true }).click();
    const value = page.getByRole('textbox', { name: 'Value of GREETING' });
    await expect(value).toBeFocused();
    await value.fill(SECRET);
    await expect(page.getByText(/[0-9a-f]{8}/).first()).toBeVisible();
    await makeLogsPublic(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
  });

  await test.step('it runs, labeled as simulated', async () => {
    await expect(page.getByRole('heading', { name: 'story-app' })).toBeVisible();
    await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible({
      timeout: 90_000,
    });
    await expect(page.getByText(/simulated/i).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the container echoes the secret’s value in the live log', async () => {
    await page.getByRole('link', { name: 'Logs' }).first().click();
    await expect(page.getByText(`the secret is ${SECRET}`)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('events list what happened', async () => {
    await page.getByRole('link', { name: 'Events' }).click();
    await expect(page.getByText('Deployed', { exact: true }).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the compose page shows the measured file', async () => {
    await page.getByRole('link', { name: 'Compose' }).click();
    await expect(page.getByText(IMAGE).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('stop, with a clean shutdown', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await expectAccessible(page);
    const stop = page.getByRole('region', { name: 'Power' }).getByRole('button', { name: 'Stop…' });
    await stop.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('main').getByText('Stopped', { exact: true }).first()).toBeVisible({
      timeout: 60_000,
    });
    // It is unavailable because it was pressed, and keeps the focus.
    await expect(stop).toHaveAttribute('aria-disabled', 'true');
    await expect(stop).toBeFocused();
    // Containers can finish their writes: the power isn't cut.
    await page.getByRole('link', { name: 'Events' }).click();
    await expect(page.getByText('Shut down', { exact: true }).first()).toBeVisible();
  });

  await test.step('start', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: 'Start' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible({
      timeout: 60_000,
    });
  });

  await test.step('delete, by typing its name', async () => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByRole('button', { name: /^Delete/ })).toBeDisabled();
    await dialog.getByRole('textbox').fill('story-app');
    await dialog.getByRole('button', { name: /^Delete/ }).click();
    await page.waitForURL((url) => !url.pathname.includes('/cvms/'), { timeout: 60_000 });
  });

  expect(complaints).toEqual([]);
});
