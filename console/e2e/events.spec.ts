import { expect, test, type Page } from './browser';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
} from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'i=0; while true; do i=$$((i+1)); echo "tick $$i"; sleep 0.2; done'
`;

const box = (page: Page) => page.getByRole('combobox', { name: 'Search events' });
const rows = (page: Page) => page.getByRole('list', { name: 'Events', exact: true }).getByRole('listitem');
const chip = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('events can be searched by keyboard, opened by link and followed live, and link to the log', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'historian');
  const cvm = await deployApp(page, slug, { name: 'eventful-app', compose: COMPOSE, publicLogs: true });
  await page.goto(`${cvm}/events`);
  await expect(rows(page).filter({ hasText: 'Deployed' })).toBeVisible();

  await test.step('boot steps are folded into the deployment, with actor and duration', async () => {
    await expect(rows(page).filter({ hasText: /^Boot: / })).toHaveCount(0);
    const deployment = rows(page).filter({ hasText: 'Deployed' });
    await expect(deployment).toContainText(/took \d+ (ms|s|min).* steps/);
    await deployment.getByRole('button').first().click();
    await expect(deployment.getByRole('list', { name: 'Steps', exact: true })).toContainText('Boot: done');
    await expectAccessible(page);
    await deployment.getByRole('button').first().click();
  });

  await test.step('the host reports each boot step exactly once', async () => {
    await page.goto(`${cvm}/events?q=${encodeURIComponent('kind:host.boot')}`);
    await expect(rows(page).first()).toBeVisible();
    const boots = rows(page).filter({ hasText: /^Boot: / });
    await expect(boots.filter({ hasText: 'Boot: done' })).toHaveCount(1);
    const texts = await boots.getByRole('button').allInnerTexts();
    expect(new Set(texts).size).toBe(texts.length);
    await expectAccessible(page);
    await page.goto(`${cvm}/events`);
    await expect(rows(page).filter({ hasText: 'Deployed' })).toBeVisible();
  });

  await test.step('suggestions, chips and text filter the list', async () => {
    await box(page).focus();
    await page.keyboard.type('kin');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(box(page)).toHaveValue('kind:');
    await page.keyboard.type('deploy.s');
    await expect(page.getByRole('option', { name: 'deploy.succeeded' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(chip(page, 'Edit kind: deploy.succeeded')).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/q=kind/);
    await page.keyboard.type('kind:host.boot ');
    await expect(chip(page, 'Edit kind: deploy.succeeded or host.boot')).toBeVisible();
    await page.keyboard.type('starting');
    await page.keyboard.press('Enter');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('Boot: starting containers');
  });

  await test.step('chips work by keyboard; errors are shown where they occur', async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(chip(page, 'Edit text “starting”')).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(chip(page, 'Edit text “starting”')).toBeHidden();
    await expect(box(page)).toBeFocused();
    await page.keyboard.type('severity:eror');
    await page.keyboard.press('Enter');
    await expect(page.getByText('did you mean error?')).toBeVisible();
    await expect(box(page)).toHaveAttribute('aria-invalid', 'true');
    expect(
      await box(page).evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]),
    ).toEqual([9, 13]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    // The request is part of the deployment's row.
    await expect(rows(page).filter({ hasText: 'Deployed' })).toBeVisible();
    await expect(rows(page).filter({ hasText: 'Deploy requested' })).toHaveCount(0);
  });

  await test.step('a query can be pasted', async () => {
    await box(page).focus();
    await box(page).evaluate((input) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'severity:info -kind:host.*\n');
      input.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await expect(chip(page, 'Edit not kind: host.*')).toBeVisible();
    await expect(rows(page).filter({ hasText: /^Boot: / })).toHaveCount(0);
  });

  await test.step('new events appear without a reload, and an operation shows its steps', async () => {
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.evaluate(async (path) => {
      const [team = '', , uuid = ''] = path.split('/').slice(1);
      await fetch(`/api/v1/cvms/${uuid}/restart`, { method: 'POST', headers: { 'X-Workspace': team } });
    }, cvm);
    const finished = rows(page).filter({ hasText: 'Restarted' });
    await expect(finished).toBeVisible({ timeout: 60_000 });
    await finished.getByRole('button').first().click();
    await expect(page).toHaveURL(/event=\d+/);
    await expect(finished.getByText('Correlation ID')).toBeVisible();
    await finished.getByRole('button', { name: 'Only this operation' }).click();
    await expect(rows(page).filter({ hasText: 'Restart requested' })).toBeVisible();
    await expect(rows(page).filter({ hasText: 'Deployed' })).toHaveCount(0);
    await page.goBack();
    await expect(rows(page).filter({ hasText: 'Deployed' })).toBeVisible();
  });

  await test.step('a link opens the list at the event, one click away from the log at that moment', async () => {
    await page.goto(`${cvm}/events?q=kind:deploy.requested`);
    const requested = rows(page).filter({ hasText: 'Deploy requested' });
    await requested.getByRole('button').first().click();
    await page.waitForURL(/event=\d+/);
    const linked = new URL(page.url());
    linked.searchParams.delete('q');
    const address = linked.href;
    await page.goto('about:blank');
    await page.goto(address);
    await expect(requested.getByRole('button').first()).toHaveAttribute('aria-expanded', 'true');
    await expect(requested.getByRole('button').first()).toBeFocused();
    await expect(page.getByText('The list starts at the linked event.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show latest' }).click();
    await expect(rows(page).filter({ hasText: 'Restarted' })).toBeVisible();
    await rows(page).filter({ hasText: 'Restarted' }).getByRole('button').first().click();
    await page.getByRole('link', { name: 'Logs at this time' }).click();
    await page.waitForURL(/logs\?at=/);
    await expect(page.getByText(/^Log around /)).toBeVisible();
    await expect(page.getByRole('log')).toContainText('tick');
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(
      `${cvm}/events?q=${encodeURIComponent('kind:deploy,restart,host.boot,host.shutdown,cvm.lost -severity:error')}`,
    );
    await expect(rows(page).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await box(page).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
  expect(complaints).toEqual([]);
});

test('the search box preview shows every state without an account', async ({ page }) => {
  const complaints = watchConsole(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/v1/events')) asked.push(request.url());
  });
  await page.goto('/storybook/search-query-builder');
  await expect(box(page).first()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(asked).toEqual([]);
  expect(complaints).toEqual([]);
});
