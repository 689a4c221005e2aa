import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import axe from 'axe-core';
import { expect, test, type Page } from '@playwright/test';
import { loadConfig } from '../../server/config';
import { connectRunning } from '../../server/db/embedded';

export const PASSWORD = 'violet kettle under the stairs';

/** The image of the test machine: a shell and a small web server, made locally. */
export const IMAGE = 'localhost/teehouse-busybox:latest';

/** Everything the browser complains about while a test runs; a test ends by expecting none of it. */
export function watchConsole(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The server cuts a stream whose reader signed out or lost a right; Chromium calls that an incomplete answer.
    if (message.text().includes('net::ERR_INCOMPLETE_CHUNKED_ENCODING')) return;
    // Every container that starts or ends adds or removes a network interface of this machine, and Chromium then
    // breaks the connections it has. The pages make theirs again: what a test waits for still has to come.
    if (message.text().includes('net::ERR_NETWORK_CHANGED')) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  return complaints;
}

/** What axe finds on the page as it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // axe's own Playwright package opens a second page for each run and loads axe there, too: twice the time.
  await page.getByRole('main', { includeHidden: true }).first().waitFor({ state: 'attached' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: runner } = window as unknown as { axe: typeof axe };
    // What fades in has not its colours yet. Spinners never end.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.all(fading.map(({ finished }) => finished.catch(() => undefined)));
    const found = await runner.run(document, { resultTypes: ['violations'] });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  });
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

export const newEmail = (name: string): string =>
  `${name}-${Math.random().toString(36).slice(2, 8)}@example.test`;

/** Changes the database of the server under test, for what only time would bring about. */
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
 * A new person with their own team and a confirmed address, signed in at the team's page; returns the team's address.
 * Without the forms, which have tests of their own: every other test begins with this.
 */
export async function registerInBrowser(page: Page, name: string): Promise<{ email: string; slug: string }> {
  const email = newEmail(name);
  const post = async (path: string) => {
    const answer = await page.request.post(`/api/v1/auth/${path}`, {
      data: { email, password: PASSWORD },
      headers: { Origin: new URL(baseURL()).origin },
    });
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json()) as { outcome?: string };
  };
  // The first person of a server without mail is signed in; the others confirm, which here is done for them.
  if ((await post('register')).outcome === 'check_email') {
    await onDatabase('update users set email_verified_at = now() where email = $1', [email]);
    await post('session');
  }
  await page.goto('/');
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  return { email, slug: new URL(page.url()).pathname.split('/')[1] ?? '' };
}

/** The compose editor takes its text like a text box, in one go. */
export async function writeCompose(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'docker-compose.yml' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The command line beside the running server. */
export async function teehouse(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/server/cli.js', ...args], {
    env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR },
  });
  return stdout;
}

/** A platform administrator, made as an operator makes one: at the command line beside the running server. */
export async function createAdmin(): Promise<string> {
  const email = `admin-${Math.random().toString(36).slice(2, 8)}@example.test`;
  await teehouse('user', 'create', '--email', email, '--password', PASSWORD, '--admin');
  return email;
}

export const baseURL = (): string => test.info().project.use.baseURL ?? '';

/** Calls the API as the person signed in in this browser, as its pages do. */
export async function callApi<T = unknown>(
  page: Page,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  { data, team }: { data?: unknown; team?: string } = {},
): Promise<T> {
  const answer = await page.request[method](`/api/v1${path}`, {
    headers: {
      Origin: new URL(baseURL()).origin,
      ...(team === undefined ? {} : { 'X-Workspace': team }),
    },
    ...(data === undefined ? {} : { data }),
  });
  const text = await answer.text();
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`).toBe(true);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** The CVM of the page runs, and nothing is being done to it any more: right after a request it still says so from before. */
export async function untilRunning(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  const [, team = '', , cvm = ''] = pathname.split('/');
  const read = () => callApi<{ in_progress: boolean; status: string }>(page, 'get', `/cvms/${cvm}`, { team });
  await expect
    .poll(async () => await read(), { timeout: 90_000 })
    .toMatchObject({ in_progress: false, status: 'running' });
  await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible();
}

/** Deploys through the form and waits until it runs; returns the CVM's page. */
export async function deployInBrowser(
  page: Page,
  slug: string,
  { name, compose }: { name: string; compose: string },
): Promise<string> {
  await page.goto(`/${slug}/deploy`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await writeCompose(page, compose);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
  await untilRunning(page);
  return new URL(page.url()).pathname;
}

/** A page is never wider than the window: nothing has to be pushed sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
}
