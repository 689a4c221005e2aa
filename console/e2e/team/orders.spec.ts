import { expect, test } from '../browser';
import {
  baseURL,
  callApi,
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
} from '../support';
import { signInAs } from '../staff';

/* Finance offers capacity; a team reads the rules, orders it, and cancels it. */

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sleep 100000
`;

test('a team reserves an instance type that finance offers, and cancels it', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'planner');
  const finance = await (await browser.newContext({ baseURL: baseURL() })).newPage();
  await signInAs(finance, 'finance');
  const name = `Small for a week ${Date.now()}`;
  let product: { id: number } | undefined;

  await test.step('finance creates a product in the admin area', async () => {
    await finance.goto('/admin/order-products/create');
    await finance.getByLabel('Name', { exact: true }).fill(name);
    await finance.getByLabel(/^Instance type/).click();
    await finance.getByRole('option', { name: 'tdx.small' }).click();
    await finance.getByLabel(/^Period/).selectOption('Day');
    await finance.getByLabel(/^Price/).fill('1.00');
    await finance.getByLabel(/^Stock/).fill('3');
    await finance.getByLabel(/^Refund/).fill('50');
    await expectAccessible(finance);
    await finance.getByRole('button', { name: 'Add order product' }).click();
    await expect(finance.getByText('Covers one CVM of type tdx.small').first()).toBeVisible();
    const filter = encodeURIComponent(JSON.stringify({ q: name }));
    [product] = await callApi<{ id: number }[]>(finance, 'get', `/admin/order-products?filter=${filter}`);
  });

  const orders = page.getByRole('table', { name: 'reservations' });
  const dialog = page.getByRole('dialog', { name: `Reserve ${name}` });

  await test.step('the rules are shown before ordering; without funds it shows what is missing', async () => {
    await page.goto(`/cost?team=${slug}`);
    await page.getByRole('link', { name: 'Reservations' }).click();
    await expect(page.getByText('Reserve an instance type, or only its GPUs, for a term')).toBeVisible();
    await page.getByRole('button', { name: `Reserve ${name}` }).click();
    await dialog.getByLabel('Term in days').fill('400');
    await dialog.getByRole('button', { name: 'Order' }).click();
    await expect(dialog.getByText('Enter a number from 1 to 12.')).toBeVisible();
    await dialog.getByLabel('Term in days').fill('7');
    await expect(dialog.getByText('$7.00 for 7 days, before tax.')).toBeVisible();
    const rules = dialog.getByRole('list', { name: 'Rules' });
    await expect(rules.getByText('Canceling before the start refunds everything.')).toBeVisible();
    await expect(rules.getByText('50% of its price is refunded')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Order for $7.00' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The term costs $7.00');
  });

  await test.step('a price that has changed is shown, and nothing is ordered', async () => {
    const [team] = await callApi<{ id: number }[]>(
      finance,
      'get',
      `/admin/workspaces?filter=${encodeURIComponent(JSON.stringify({ slug }))}`,
    );
    await callApi(finance, 'post', '/admin/credits', {
      data: { team_id: team?.id, amount: '50', reason: 'For a reservation' },
      once: true,
    });
    await callApi(finance, 'patch', `/admin/order-products/${product?.id}`, { data: { price: '2.00' } });
    await dialog.getByRole('button', { name: 'Order for $7.00' }).click();
    await expect(dialog.getByRole('alert')).toContainText('now costs $2.00 per day: $14.00 for 7 days');
    await expect(dialog.getByRole('button', { name: 'Order for $14.00' })).toBeVisible();
  });

  await test.step('once ordered, it waits for a CVM of its type', async () => {
    await dialog.getByRole('button', { name: 'Order for $14.00' }).click();
    await expect(dialog).toBeHidden();
    await expect(orders.getByText('Active')).toBeVisible();
    await expect(orders.getByText('No CVM of type tdx.small')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('a newly deployed CVM is covered and costs nothing', async () => {
    const path = await deployApp(page, slug, { name: 'reserved-app', compose: COMPOSE });
    await page.goto(`/cost?team=${slug}&tab=reservations`);
    await expect(orders.getByRole('link', { name: 'reserved-app' })).toBeVisible();
    await page.goto(`/cost?team=${slug}`);
    await expect(page.getByText('No current costs.')).toBeVisible();
    await page.goto(path);
    await expect(page.getByText('$0.00 / hour').first()).toBeVisible();
  });

  await test.step('renewal is on only after it was chosen', async () => {
    await page.goto(`/cost?team=${slug}&tab=reservations`);
    const actions = page.getByRole('button', { name: `Actions for ${name}` });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Turn renewal on' }).click();
    const renew = page.getByRole('dialog', { name: `Renew ${name}?` });
    await expect(
      renew.getByText(/A day before this term ends, the balance is charged \$14\.00/),
    ).toBeVisible();
    await expectAccessible(page);
    await renew.getByRole('button', { name: 'Turn renewal on' }).click();
    await expect(orders.getByText(', renews')).toBeVisible();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Turn renewal off' }).click();
    await expect(orders.getByText(', renews')).toBeHidden();
  });

  await test.step('canceling shows the refund, and refunds that amount', async () => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Cancel order' }).click();
    const cancel = page.getByRole('alertdialog', { name: `Cancel ${name}?` });
    // Six days after the first one, at half their price.
    await expect(cancel.getByText('$6.00 is refunded to the balance.')).toBeVisible();
    await expectAccessible(page);
    await cancel.getByRole('button', { name: 'Cancel order' }).click();
    await expect(orders.getByText('Partly refunded', { exact: true })).toBeVisible();
    await expect(orders.getByText('$6.00 refunded')).toBeVisible();
    await page.goto(`/transactions?team=${slug}&kind=order_refund`);
    await expect(page.getByText(`Refund of ${name}: canceled`)).toBeVisible();
    await expect(page.getByText('+$6.00').first()).toBeVisible();
  });

  await test.step('finance sees the order with its charges', async () => {
    await finance.goto('/admin/orders');
    await expect(finance.getByText(name).first()).toBeVisible();
    await expectAccessible(finance);
    await finance.getByText(name).first().click();
    await expect(finance.getByText('refunded').first()).toBeVisible();
  });
  expect(complaints.filter((text) => !/status of (402|409)/.test(text))).toEqual([]);
});
