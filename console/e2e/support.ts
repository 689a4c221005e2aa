import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { expect, test, type Locator, type Page } from './browser';
import { CONTRAST_MARK, markNewStyles } from './contrast';
import { loadConfig } from '../../server/config';
import { connectRunning } from '../../server/db/core/embedded';

export const PASSWORD = 'violet kettle under the stairs';

/** The test VM's image, built locally: a shell and a small web server. */
export const IMAGE = 'localhost/teehouse-busybox:latest';

/** Collects browser errors and warnings during a test, which must end without any. */
export function watchConsole(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The server cuts streams of users who signed out or lost access; Chromium reports that as an incomplete response.
    if (message.text().includes('net::ERR_INCOMPLETE_CHUNKED_ENCODING')) return;
    // Containers starting or stopping change this machine's network interfaces, which makes Chromium
    // drop its connections. Pages reconnect, so the test still waits for its result.
    if (message.text().includes('net::ERR_NETWORK_CHANGED')) return;
    // Chromium's message has only the status of a failed request; the location has the address.
    const at = message.text().startsWith('Failed to load') ? ` at ${message.location().url}` : '';
    complaints.push(`${message.type()}: ${message.text()}${at}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  return complaints;
}

/** axe's script, a third of the size of the source that its module exports. */
const AXE_SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let axeScript: Promise<string> | undefined;

/** Styles whose contrast this worker has already measured. */
const measured = new Set<string>();

/** Measurements to attempt on a page that keeps changing. */
const MEASUREMENTS = 5;

/** Returns the accessibility violations (axe) on the current page, or only in `part`, such as an open menu. */
export async function accessibilityFaults(page: Page, part?: string): Promise<string[]> {
  // Loads axe directly, because its Playwright package opens a second page per run and takes twice as long.
  await page.getByRole('main', { includeHidden: true }).first().waitFor({ state: 'attached' });
  axeScript ??= readFile(AXE_SCRIPT, 'utf8');
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeScript);
  for (let i = 1; ; i++) {
    await settled(page);
    await page.evaluate(markNewStyles, { known: [...measured], mark: CONTRAST_MARK });
    const { faults, passed, changed } = await page.evaluate(measure, { mark: CONTRAST_MARK, part });
    // An element that is fading in or out has too little contrast only temporarily.
    if (faults.length > 0 && changed && i < MEASUREMENTS) continue;
    for (const style of passed) measured.add(style);
    return faults;
  }
}

/** Waits until the page has its final colors. */
async function settled(page: Page): Promise<void> {
  // Tables are dimmed while they refetch.
  await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(async () => {
    // Elements that are fading in don't have their final colors. Spinners never finish.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.all(fading.map(({ finished }) => finished.catch(() => undefined)));
  });
}

interface Measurement {
  faults: string[];
  /** Marked styles that have enough contrast. */
  passed: string[];
  /** Whether the page changed during the measurement: content arrived, a control was enabled, a table refetched. */
  changed: boolean;
}

/** Runs axe in the page, with contrast for the marked elements only. */
async function measure({ mark, part }: { mark: string; part: string | undefined }): Promise<Measurement> {
  const { axe: runner } = window as unknown as { axe: typeof axe };
  // A table may have started to refetch, dimmed, since the page settled.
  const isMoving = () =>
    document.querySelector('table[aria-busy="true"]') !== null ||
    document.getAnimations().some(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  let changed = isMoving();
  const observer = new MutationObserver(() => (changed = true));
  observer.observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-busy', 'aria-disabled', 'class', 'data-theme', 'disabled', 'hidden', 'style'],
  });
  const within = part === undefined ? document : document.querySelector(part);
  if (within === null) throw new Error(`nothing matches ${part}`);
  const styles = new Set([...within.querySelectorAll(`[${mark}]`)].map((one) => one.getAttribute(mark)));
  // Skips copying the markup of every matched element, which isn't used here.
  runner.configure({ noHtml: true, rules: [{ id: 'color-contrast', selector: `[${mark}]` }] });
  const { violations, incomplete } = await runner.run(within, {
    resultTypes: ['violations', 'incomplete'],
    elementRef: true,
  });
  observer.disconnect();
  // A style that failed or couldn't be measured here is measured again wherever it occurs.
  for (const { id, nodes } of [...violations, ...incomplete])
    if (id === 'color-contrast')
      for (const { element } of nodes) styles.delete(element?.getAttribute(mark) ?? null);
  return {
    faults: violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    ),
    passed: [...styles].filter((style) => style !== null),
    changed: changed || isMoving(),
  };
}

/** Expects no accessibility violations (axe) on the current page, or in `part`. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  expect(await accessibilityFaults(page, part)).toEqual([]);
}

export const newEmail = (name: string): string =>
  `${name}-${Math.random().toString(36).slice(2, 8)}@example.test`;

/** Changes the test server's database directly, for states that take time to reach. */
export async function onDatabase(statement: string, values: unknown[]): Promise<void> {
  const config = loadConfig({ DATA_DIR: process.env.E2E_DATA_DIR });
  const database = await connectRunning(config, 'a browser test');
  try {
    const { rowCount } = await database.pool.query(statement, values);
    expect(rowCount, statement).toBeGreaterThan(0);
  } finally {
    await database.stop();
  }
}

/**
 * Creates a user with a team and a confirmed address, signed in in this browser; returns the address and the team's
 * slug. Skips the forms, which have their own tests, because nearly every test starts here.
 */
export async function registerUser(page: Page, name: string): Promise<{ email: string; slug: string }> {
  const email = newEmail(name);
  const { outcome } = await callApi<{ outcome?: string }>(page, 'post', '/auth/register', {
    data: { email, password: PASSWORD },
  });
  // On a server without mail, the first user is signed in immediately. Others are confirmed here.
  if (outcome === 'check_email') {
    await onDatabase('update users set email_verified_at = now() where email = $1', [email]);
    await startSession(page, email);
  }
  const { data } = await callApi<{ data: { slug: string }[] }>(page, 'get', '/workspaces');
  return { email, slug: data[0]?.slug ?? '' };
}

/** Like `registerUser`, but also opens the team's page. */
export async function registerInBrowser(page: Page, name: string): Promise<{ email: string; slug: string }> {
  const user = await registerUser(page, name);
  await page.goto('/');
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  // The address changes before the page has settled; later changes would interrupt the next navigation.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return user;
}

/** Fills the Compose editor in one step. */
export async function writeCompose(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'docker-compose.yml' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Signs in without opening a page. The form has its own tests. */
export async function startSession(page: Page, email: string): Promise<void> {
  await callApi(page, 'post', '/auth/session', { data: { email, password: PASSWORD } });
}

/** Signs in with the form on the current page. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Creates a platform administrator directly: the operators' command has its own tests and takes a second. */
export async function createAdmin(): Promise<string> {
  const email = newEmail('admin');
  const answer = await fetch(`${baseURL()}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(baseURL()).origin },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
  await onDatabase(
    `update users set platform_role = 'admin', email_verified_at = coalesce(email_verified_at, now())
      where email = $1`,
    [email],
  );
  return email;
}

export const baseURL = (): string => test.info().project.use.baseURL ?? '';

/** Calls the API as this browser's signed-in user; `once` sends a new Idempotency-Key. */
export async function callApi<T = unknown>(
  page: Page,
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  { data, team, once = false }: { data?: unknown; team?: string; once?: boolean } = {},
): Promise<T> {
  const answer = await page.request[method](`/api/v1${path}`, {
    headers: {
      Origin: new URL(baseURL()).origin,
      ...(team === undefined ? {} : { 'X-Workspace': team }),
      ...(once ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
    },
    ...(data === undefined ? {} : { data }),
  });
  const text = await answer.text();
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`).toBe(true);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function untilCvmRuns(page: Page, team: string, cvm: string): Promise<void> {
  const read = () => callApi<{ in_progress: boolean; status: string }>(page, 'get', `/cvms/${cvm}`, { team });
  await expect
    .poll(async () => await read(), { timeout: 90_000 })
    .toMatchObject({ in_progress: false, status: 'running' });
}

/** Waits until the page's CVM runs and no operation is in progress. The page may still show the state before a request. */
export async function untilRunning(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  const [, team = '', , cvm = ''] = pathname.split('/');
  await untilCvmRuns(page, team, cvm);
  await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible();
}

/** Turns on public container logs in the deploy form. They are private by default. */
export async function makeLogsPublic(page: Page): Promise<void> {
  const summary = page.locator('summary', { hasText: 'Advanced' });
  // The section is already open if the form started with non-default values there.
  if ((await summary.locator('..').getAttribute('open')) === null) await summary.click();
  // Not check(), which expects the new state before the form has rendered it.
  const publicLogs = page.getByRole('switch', { name: 'Public container logs' });
  await publicLogs.click();
  await expect(publicLogs).toBeChecked();
}

interface NewApp {
  name: string;
  compose: string;
  publicLogs?: boolean;
}

/** Deploys through the API instead of the form, and waits until the CVM runs; returns its page's address. */
export async function deployApp(
  page: Page,
  slug: string,
  { name, compose, publicLogs = false }: NewApp,
): Promise<string> {
  const { app_id, compose_hash } = await callApi<{ app_id: string; compose_hash: string }>(
    page,
    'post',
    '/cvms/provision',
    {
      team: slug,
      data: {
        name,
        instance_type: 'tdx.small',
        compose_file: { name, docker_compose_file: compose, public_logs: publicLogs },
      },
    },
  );
  const { vm_uuid } = await callApi<{ vm_uuid: string }>(page, 'post', '/cvms', {
    team: slug,
    data: { app_id, compose_hash },
  });
  await untilCvmRuns(page, slug, vm_uuid);
  return `/${slug}/cvms/${vm_uuid}`;
}

/** Deploys through the form and waits until the CVM runs; returns its page. */
export async function deployInBrowser(
  page: Page,
  slug: string,
  { name, compose, publicLogs = false }: NewApp,
): Promise<string> {
  await page.goto(`/${slug}/deploy`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await writeCompose(page, compose);
  if (publicLogs) await makeLogsPublic(page);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
  await untilRunning(page);
  return new URL(page.url()).pathname;
}

/** Expects no horizontal scrolling. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
}

/** Opens one of a record's tabs, which may be in the overflow menu. */
export async function openTab(tabs: Locator, name: string | RegExp): Promise<void> {
  await expect(tabs.getByRole('link', { name: 'Overview' })).toBeVisible();
  const tab = tabs.getByRole('link', { name });
  if (await tab.isVisible()) return tab.click();
  await tabs.getByRole('button', { name: 'More' }).click();
  await tabs.page().getByRole('menuitem', { name }).click();
}

/** Expects every table heading and number to be fully visible: a column without room is hidden, not clipped. */
export async function expectTablesFit(page: Page, address: string): Promise<void> {
  const clipped = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main th, main td')]
      .filter((cell) => cell.tagName === 'TH' || cell.dataset.align === 'right' || cell.querySelector('time'))
      // Allows one pixel for rounding.
      .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => `${cell.tagName} "${cell.textContent}" lacks ${cell.scrollWidth - cell.clientWidth} px`),
  );
  expect.soft(clipped, address).toEqual([]);
}
