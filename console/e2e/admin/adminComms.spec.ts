import { expect, test, type Page } from '../browser';
import { startBotServer } from '../../../server/testing/botServer';
import { signInAs } from '../staff';
import { expectAccessible, registerInBrowser, watchConsole } from '../support';

const unique = () => Math.random().toString(36).slice(2, 8);
const main = (page: Page) => page.getByRole('main');

async function openAsAdmin(page: Page, path: string): Promise<void> {
  await signInAs(page, 'admin');
  await page.goto(path);
}

test('drafts, previews, publishes, reads and closes an announcement', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const title = `Hosts restart ${unique()}`;
  const reader = await (await browser.newContext()).newPage();
  const readerComplaints = watchConsole(reader);
  const { slug } = await registerInBrowser(reader, 'reader');
  await openAsAdmin(page, '/admin/announcements/create');

  await main(page)
    .getByLabel(/^Title/)
    .fill(title);
  await main(page)
    .getByLabel(/^Text/)
    .fill('**Tonight** all hosts restart.\n\n- See [the status](https://status.test/1)');
  // Other tests share this server: an announcement to everyone would appear on their pages, too.
  await main(page)
    .getByLabel(/^Audience/)
    .selectOption('workspaces');
  await expect(main(page).getByRole('combobox', { name: /^Node/ })).toHaveCount(0);
  await expect(main(page).getByText('Choose teams to see how many users it reaches.')).toBeVisible();
  await main(page)
    .getByRole('combobox', { name: /^Teams/ })
    .fill(slug);
  await page.getByRole('option', { name: slug }).click();
  await expect(main(page).getByRole('button', { name: `Remove ${slug}` })).toBeVisible();
  // The form shows how many users it reaches before anything is saved.
  const reach = main(page).getByRole('region', { name: 'Preview' }).getByRole('status');
  await expect(reach).toHaveText('Will be shown to 1 user.');
  // The preview updates while typing, formatted as readers will see it.
  const preview = main(page).getByRole('note').filter({ hasText: title });
  await expect(preview.getByText('Tonight', { exact: true })).toHaveJSProperty('tagName', 'STRONG');
  await expectAccessible(page);
  await main(page).getByRole('button', { name: 'Add announcement' }).click();
  await expect(main(page).getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(main(page).getByText('Will be shown to 1 user.')).toBeVisible();
  await expect(preview.getByRole('link', { name: 'the status' })).toBeVisible();
  await expect(main(page).getByText('**Tonight**')).toHaveCount(0);
  await expectAccessible(page);
  const address = new URL(page.url()).pathname;

  await main(page).getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(main(page).getByRole('heading', { level: 1, name: `Edit ${title}` })).toBeVisible();
  await expect(reach).toHaveText('Will be shown to 1 user.');
  await main(page)
    .getByLabel(/^Audience/)
    .selectOption('everybody');
  await expect(reach).toHaveText(/^Will be shown to \d+ users?, and to visitors who aren’t signed in\.$/);
  await expectAccessible(page);
  await main(page)
    .getByLabel(/^Audience/)
    .selectOption('workspaces');
  await expect(reach).toHaveText('Will be shown to 1 user.');

  await page.goto(`${address}/affected-users`);
  await expect(
    main(page).getByRole('table', { name: 'Affected users' }).getByRole('row').nth(1),
  ).toBeVisible();
  await expectAccessible(page);

  await page.goto(address);
  await main(page)
    .getByRole('button', { name: /^Publish/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(main(page).getByText('Live', { exact: true }).first()).toBeVisible();

  // The reader's page receives it without a reload.
  const banner = reader
    .getByRole('region', { name: 'Announcements' })
    .getByRole('note')
    .filter({ hasText: title });
  await expect(banner).toContainText('Tonight all hosts restart.');
  await expect(banner.getByRole('link', { name: 'the status' })).toHaveAttribute(
    'href',
    'https://status.test/1',
  );
  await expectAccessible(reader);
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner).toHaveCount(0);
  await reader.reload();
  await expect(reader.getByRole('main')).toBeVisible();
  await expect(banner).toHaveCount(0);

  expect(complaints).toEqual([]);
  expect(readerComplaints).toEqual([]);
  await reader.context().close();
});

test('shows queues, schedules and processes', async ({ page }) => {
  const complaints = watchConsole(page);
  await openAsAdmin(page, '/admin/system/queue-workers');
  const queues = main(page).getByRole('table', { name: 'Queues' });
  await expect(queues.getByRole('row', { name: /Operations/ })).toBeVisible();
  await expectAccessible(page);
  await queues.getByRole('link', { name: 'Mail', exact: true }).click();
  await expect(main(page).getByRole('heading', { level: 1, name: 'Mail' })).toBeVisible();
  await page.goto('/admin/system/workers');
  await expect(main(page).getByText('Alive', { exact: true }).first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test('links a chat with a code sent to the bot and sends a test message', async ({ page }) => {
  const complaints = watchConsole(page);
  const telegram = await startBotServer({
    port: Number(process.env.E2E_BOT_PORT),
  });
  try {
    await openAsAdmin(page, '/admin/system/telegram-integration');
    await main(page)
      .getByLabel(/^(Token|New token)/)
      .fill(telegram.token);
    await main(page).getByRole('button', { name: 'Check and save' }).click();
    await expect(main(page).getByText('@tea_bot')).toBeVisible();
    await main(page).getByRole('button', { name: 'Link chat' }).click();
    const command = main(page).getByText(/^\/link [0-9A-Z]{4}-[0-9A-Z]{4}$/);
    const typed = await command.first().textContent();
    await expectAccessible(page);
    telegram.type(typed ?? '', { title: 'On call', type: 'group' });
    const chats = main(page).getByRole('table', { name: 'Linked chats' });
    await expect(chats.getByRole('row', { name: /On call/ })).toBeVisible({
      timeout: 45_000,
    });
    await chats
      .getByRole('row', { name: /On call/ })
      .getByRole('button', { name: /^(More|Actions)/ })
      .click();
    await page.getByRole('menuitem', { name: 'Send test message' }).click();
    await expect
      .poll(() => telegram.messages.map(({ text }) => text).join(), {
        timeout: 45_000,
      })
      .toContain('Test from');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  } finally {
    await telegram.close();
  }
});
