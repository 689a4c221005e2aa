import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test, type Page } from './browser';
import { startOwnServer, type OwnServer } from './ownServer';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  PASSWORD,
  watchConsole,
  writeCompose,
} from './support';

/* Checks the data the browser sends to Sentry and PostHog on a server with both. */

test.describe.configure({ mode: 'serial', timeout: 180_000 });
test.use({ actionTimeout: 30_000 });

interface Delivery {
  url: URL;
  text: string;
}

interface Service {
  port: number;
  deliveries: Delivery[];
  close: () => void;
}

/** Accepts everything, like the ingestion of Sentry and PostHog. */
async function startService(): Promise<Service> {
  const deliveries: Delivery[] = [];
  const server = createServer((req, res) => {
    void readBody(req).then((body) => {
      const url = new URL(req.url ?? '', 'http://service');
      if (req.method === 'POST') deliveries.push({ url, text: textOf(body) });
      res.writeHead(200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
      });
      res.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    deliveries,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** PostHog's library compresses requests or encodes them as a form field. */
function textOf(body: Buffer): string {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  const text = (isGzip ? gunzipSync(body) : body).toString('utf8');
  const { data } = Object.fromEntries(new URLSearchParams(text.startsWith('data=') ? text : ''));
  return data === undefined ? text : Buffer.from(data, 'base64').toString('utf8');
}

interface Item {
  type: string;
  payload: { environment?: string; transaction?: string; release?: string; spans?: { op: string }[] };
}

/** Parses an envelope: a header line, then a header and a payload line per item. */
function itemsOf({ text }: Delivery): Item[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .slice(1);
  return lines.flatMap((line, i) =>
    i % 2 === 0
      ? [
          {
            type: (JSON.parse(line) as { type: string }).type,
            payload: JSON.parse(lines[i + 1] ?? '{}') as Item['payload'],
          },
        ]
      : [],
  );
}

interface Counted {
  event: string;
  properties: Record<string, unknown>;
}

const countedIn = ({ text }: Delivery): Counted[] => [JSON.parse(text) as Counted | Counted[]].flat();

let sentry: Service;
let posthog: Service;
let server: OwnServer;
const email = newEmail('measured');
const slug = 'measured-team';
let cvmPath = '';

const errors = () => sentry.deliveries.flatMap(itemsOf).filter(({ type }) => type === 'event');
const traces = () => sentry.deliveries.flatMap(itemsOf).filter(({ type }) => type === 'transaction');
const counted = () => posthog.deliveries.flatMap(countedIn);

/** PostHog's library sends nothing from automated or headless browsers, which it recognizes by these two properties. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'webdriver', { value: false });
    Object.defineProperty(navigator, 'userAgentData', { value: undefined });
  });
});

test.beforeAll(async () => {
  [sentry, posthog] = await Promise.all([startService(), startService()]);
  server = await startOwnServer({
    TEEHOUSE_ENVIRONMENT: 'staging-7',
    SENTRY_DSN: `http://public@127.0.0.1:${sentry.port}/1`,
    SENTRY_TRACES_SAMPLE_RATE: '1',
    POSTHOG_KEY: 'phc_browser_test',
    POSTHOG_HOST: `http://127.0.0.1:${posthog.port}`,
    LOCAL_TEEPOD_ENGINE: 'simulate',
  });
});

test.afterAll(async () => {
  await server?.stop();
  sentry?.close();
  posthog?.close();
});

/** Collects scripts and reports requested from here on. */
function watchRequests(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  return seen;
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.url}/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

const fail = (page: Page, message: string) =>
  page.evaluate((text) => void setTimeout(() => Promise.reject(new Error(text))), message);

/** Expects nothing that identifies users, teams or apps, and no secrets. */
function expectAnonymous(text: string): void {
  for (const secret of [
    email,
    slug,
    'measured',
    'Kettle works',
    'app-of-ada',
    'SECRET',
    cvmPath.split('/').at(-1),
  ])
    if (secret) expect(text).not.toContain(secret);
}

test('PostHog gets every declared event, and nothing that identifies a user', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto(`${server.url}/register?next=%2Finvite%2FSECRET`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL((url) => url.pathname !== '/register');
  // Sent in batches: leaving the page first could lose the last one.
  const sent = (event: string) => expect.poll(() => counted().map((one) => one.event)).toContain(event);
  await sent('registered');
  await page.context().clearCookies();
  await signIn(page);

  await test.step('creates a team, a member and a token', async () => {
    await page.goto(`${server.url}/`);
    await page.waitForURL((url) => url.pathname !== '/');
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('create team');
    await page.keyboard.press('Enter');
    const team = page.getByRole('dialog', { name: 'Create team' });
    await team.getByLabel('Name').fill('Kettle works');
    await team.getByLabel('Address').fill(slug);
    await team.getByRole('button', { name: 'Create team' }).click();
    await page.waitForURL(`**/${slug}`);
    await sent('team_created');
    await page.goto(`${server.url}/${slug}/members`);
    await page.getByRole('link', { name: 'Invite', exact: true }).click();
    const invitation = page.getByRole('dialog');
    await invitation.getByLabel('Email address').fill('measured-guest@example.test');
    await invitation.getByRole('button', { name: 'Send invitation' }).click();
    await expect(invitation).toBeHidden();
    await sent('member_invited');
    await page.goto(`${server.url}/${slug}/tokens`);
    await page.getByRole('link', { name: 'Create token' }).first().click();
    const token = page.getByRole('dialog', { name: 'Create API token' });
    await token.getByLabel('Name').fill('SECRET name');
    await token.getByRole('checkbox', { name: /^Profile/ }).check();
    await token.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByRole('dialog', { name: 'Copy your token' })).toBeVisible();
    await sent('token_created');
  });

  await test.step('deploys and stops an app', async () => {
    await page.goto(`${server.url}/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('app-of-ada');
    await writeCompose(page, 'services:\n  web:\n    image: nginx:alpine\n');
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`);
    cvmPath = new URL(page.url()).pathname;
    await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible({
      timeout: 90_000,
    });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await sent('cvm_action');
  });

  await test.step('approves a command-line login', async () => {
    const answer = await page.request.post(`${server.url}/api/v1/auth/device/code`, {
      data: { client_id: 'phala-cli', scope: 'user:profile' },
    });
    const { user_code } = (await answer.json()) as { user_code: string };
    await page.goto(`${server.url}/cli/verify?user_code=${user_code}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByRole('button', { name: 'Approve' })).toBeHidden();
    await sent('cli_login_decided');
  });

  const events = new Set(counted().map(({ event }) => event));
  expect([...events].sort()).toEqual([
    'cli_login_decided',
    'cvm_action',
    'member_invited',
    'page',
    'palette_opened',
    'registered',
    'signed_in',
    'team_created',
    'token_created',
  ]);
  expect(counted().map(({ properties }) => properties.environment)).toContain('staging-7');
  const routes = counted().flatMap(({ event, properties }) => (event === 'page' ? [properties.route] : []));
  expect(routes).toContain('/$teamSlug/tokens');
  for (const { text, url } of posthog.deliveries) {
    expectAnonymous(text);
    expectAnonymous(url.href);
    // No page address under any property name.
    expect(text).not.toContain('localhost');
  }
  // The invitation opened after registering doesn't exist.
  expect(complaints.filter((text) => !text.includes('/invitations/check'))).toEqual([]);
});

test('Sentry gets the trace and the error of a page through the tunnel, without names or secrets', async ({
  page,
}) => {
  // Watches from the start: on a slow machine, the tracing code arrives while the user signs in.
  const requests = watchRequests(page);
  await signIn(page);
  await page.goto(`${server.url}/${slug}/members?q=SECRET`);
  await expect.poll(() => traces().map(({ payload }) => payload.transaction)).toContain('/$teamSlug/members');
  await fail(page, `Failed for ${email} at /x?token=SECRET`);
  await expect.poll(() => errors().length).toBeGreaterThan(0);

  const trace = traces().find(({ payload }) => payload.transaction === '/$teamSlug/members');
  expect(trace?.payload).toMatchObject({
    environment: 'staging-7',
    release: expect.stringMatching(/^teehouse-console@/),
  });
  expect(trace?.payload.spans?.map(({ op }) => op)).toContain('resource.script');
  expect(errors()[0]?.payload.environment).toBe('staging-7');
  // For a self-hosted Sentry: the DSN's path and key.
  for (const { url } of sentry.deliveries) {
    expect(url.pathname).toBe('/api/1/envelope/');
    expect(url.searchParams.get('sentry_key')).toBe('public');
  }
  expect(requests.filter((url) => new URL(url).port === String(sentry.port))).toEqual([]);
  expect(requests.some((url) => url.includes('/assets/monitoringTraces'))).toBe(true);
  for (const { text } of sentry.deliveries) expect(text).not.toContain('SECRET');
  for (const { text } of sentry.deliveries) expect(text).not.toContain(email);
  for (const { payload } of traces()) expectAnonymous(JSON.stringify(payload));
});

test('an error before the settings arrive is reported once they have', async ({ page }) => {
  const before = errors().length;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/v1/session*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${server.url}/login`);
  await fail(page, 'Failed early');
  release();
  await expect.poll(() => errors().length).toBe(before + 1);
  expect(errors().at(-1)?.payload.environment).toBe('staging-7');
});

test('no trace is recorded or sent without SENTRY_DSN', async ({ page }) => {
  const requests = watchRequests(page);
  const posted: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/monitoring') posted.push(request.postData() ?? '');
  });
  await page.goto('/login');
  // An error loads the reporter, which would load the tracing code.
  await fail(page, 'kept here');
  await expect.poll(() => posted.length).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.waitForURL('**/register**');
  await page.waitForLoadState('networkidle');
  expect(requests.filter((url) => /monitoringTraces|analyticsClient/.test(url))).toEqual([]);
  expect(posted.join('\n')).not.toContain('"type":"transaction"');
});

test('opting out stops analytics immediately and on the next page load', async ({ page }) => {
  const start = posthog.deliveries.length;
  await page.goto(`${server.url}/login`);
  const choice = page.getByRole('checkbox', { name: 'Share usage analytics' });
  await expect(choice).toBeChecked();
  await expectAccessible(page);
  await expect.poll(() => posthog.deliveries.length).toBeGreaterThan(start);
  await choice.uncheck();
  const stopped = posthog.deliveries.length;
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.waitForURL('**/register**');

  const requests = watchRequests(page);
  await signIn(page);
  await page.goto(`${server.url}/account/settings?section=data`);
  const setting = page.getByRole('switch', { name: 'Share usage analytics from this device' });
  await expect(setting).not.toBeChecked();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.waitForLoadState('networkidle');
  expect(requests.filter((url) => url.includes('analyticsClient'))).toEqual([]);
  expect(posthog.deliveries.length).toBe(stopped);

  await setting.check();
  await page.reload();
  await expect.poll(() => posthog.deliveries.length).toBeGreaterThan(stopped);
});

for (const [name, refuse] of [
  ['Do Not Track', () => Object.defineProperty(navigator, 'doNotTrack', { value: '1' })],
  ['Global Privacy Control', () => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })],
] as const)
  test(`nothing is counted under ${name}`, async ({ page }) => {
    await page.addInitScript(refuse);
    const start = posthog.deliveries.length;
    const requests = watchRequests(page);
    await page.goto(`${server.url}/login`);
    await expect(page.getByText('Usage analytics off (browser setting)')).toBeVisible();
    await signIn(page);
    await page.goto(`${server.url}/account/settings?section=data`);
    await expect(page.getByRole('switch', { name: 'Share usage analytics from this device' })).toBeDisabled();
    await page.waitForLoadState('networkidle');
    expect(requests.filter((url) => url.includes('analyticsClient'))).toEqual([]);
    expect(posthog.deliveries.length).toBe(start);
  });
