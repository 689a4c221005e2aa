import { expect, test } from '../browser';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  onDatabase,
  registerUser,
  untilRunning,
  watchConsole,
} from '../support';

/* A budget that stops CVMs, and starting them again. */

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: ["sh", "-c", "trap 'exit 0' TERM; sleep 100000 & wait"]
`;

/** Budgets are checked every minute. */
const NEXT_CHECK = { timeout: 120_000 };

test('a budget stops a CVM, which starts again after the budget is raised', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'thrifty');
  const path = await deployApp(page, slug, { name: 'thrifty-app', compose: COMPOSE });
  const budgets = page.getByRole('table', { name: 'budgets' });

  await test.step('the form reports missing fields', async () => {
    await page.goto(`/cost?team=${slug}`);
    await expect(page.getByText('Get notified when the team or an app costs more')).toBeVisible();
    await page.getByRole('button', { name: 'New budget' }).click();
    const dialog = page.getByRole('dialog', { name: 'New budget' });
    await dialog.getByLabel('Notify at').fill('250');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await expect(dialog.getByText('Enter an amount.')).toBeVisible();
    await expect(dialog.getByText('Enter percentages such as 50, 80, 100.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('combobox', { name: 'For' }).selectOption('thrifty-app');
    await dialog.getByLabel('Amount in US dollars').fill('5');
    await dialog.getByLabel('Notify at').fill('80, 100');
    await dialog.getByRole('combobox', { name: 'At 100%' }).selectOption('Stop CVMs');
    await expect(
      dialog.getByText('Running CVMs are stopped, except those covered by a reservation'),
    ).toBeVisible();
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await expect(dialog).toBeHidden();
    await expect(budgets.getByText('$5.00 per month')).toBeVisible();
    await expect(budgets.getByText('80%, 100%')).toBeVisible();
  });

  await test.step('once it is used up, the CVM stops and the page says so', async () => {
    // Simulates a cost of a dollar per second.
    await onDatabase(
      `update cvm_state_changes s set hourly_rate_micros = 3600000000 from cvms c join teams t on t.id = c.team_id
       where s.cvm_id = c.id and t.slug = $1`,
      [slug],
    );
    await expect(page.getByText('The budget for thrifty-app stopped 1 CVM')).toBeVisible(NEXT_CHECK);
    await expect(page.getByText('raise the budget or change its action at 100%')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start 1 CVM' })).toBeHidden();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(page.getByText('The monthly budget of thrifty-app is used up').first()).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('raising it offers to start the CVM again', async () => {
    await page.getByRole('button', { name: 'Actions for thrifty-app' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit budget' }).click();
    const dialog = page.getByRole('dialog', { name: 'Budget for thrifty-app' });
    await dialog.getByLabel('Amount in US dollars').fill('1,000,000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Start 1 CVM' }).click();
    await expect(page.getByText('The budget for thrifty-app stopped 1 CVM')).toBeHidden();
    await page.goto(path);
    await untilRunning(page);
  });

  await test.step('deleting it requires confirmation', async () => {
    await page.goto(`/cost?team=${slug}`);
    await page.getByRole('button', { name: 'Actions for thrifty-app' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete budget' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the budget for thrifty-app?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete budget' }).click();
    await expect(page.getByText('Get notified when the team or an app costs more')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Budgets', exact: true })).toBeFocused();
  });
  expect(complaints).toEqual([]);
});
