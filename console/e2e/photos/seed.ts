import type { Browser, Page } from '@playwright/test';
import type { Seeded } from '../../../server/tools/photoPages';
import { addAuthenticator, callApi, forgetSession, mailedLink } from '../accounts';
import { signInAs } from '../staff';
import { baseURL, deployInBrowser, IMAGE, newEmail, PASSWORD, registerInBrowser } from '../support';

/** Data for photographs: a team with a running agent, emailed links, and a record of each kind an administrator can add. */

const NAME = 'lighthouse';
const COMPOSE = `services:
  eliza:
    image: ${IMAGE}
    environment:
      CHARACTER: |-
        {
          "name": "Ada",
          "bio": ["Knows engines."],
          "style": { "all": ["Be brief."] }
        }
    command: sh -c 'echo up; exec httpd -f -p 80'
    ports:
      - "80:80"
`;

export interface Visitors {
  'signed out': Page;
  'before the second factor': Page;
  user: Page;
  administrator: Page;
}

async function openVisitors(browser: Browser): Promise<Visitors> {
  const open = async () => (await browser.newContext({ baseURL: baseURL() })).newPage();
  return {
    'signed out': await open(),
    'before the second factor': await open(),
    user: await open(),
    administrator: await open(),
  };
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

export async function seed(browser: Browser): Promise<{ visitors: Visitors; seeded: Seeded }> {
  const visitors = await openVisitors(browser);
  const { user, administrator } = visitors;
  await signInAs(administrator, 'admin');
  const { slug } = await registerInBrowser(user, 'ada');
  const path = await deployInBrowser(user, slug, { name: NAME, compose: COMPOSE, publicLogs: true });
  const vmUuid = path.split('/').at(-1) ?? '';
  const { app_id } = await callApi<{ app_id: string }>(user, 'get', `/cvms/${vmUuid}`, { team: slug });
  await callApi(user, 'post', `/workspaces/${slug}/tokens`, {
    data: { name: 'CI', scopes: ['cvms:*'] },
    team: slug,
  });
  const { environment } = await callApi<{
    environment: { agent_framework: string; chat_bot_service: string };
  }>(user, 'get', '/session');
  await beforeSecondFactor(visitors['before the second factor']);
  await addRecords(administrator, slug);
  await addMoney(visitors, slug);
  return {
    visitors,
    seeded: {
      $teamSlug: slug,
      $appId: app_id,
      $vmUuid: vmUuid,
      $cvmIdentifier: vmUuid,
      '{agent_framework}-conf': `${environment.agent_framework}-conf`,
      '{chat_bot_service}-integration': `${environment.chat_bot_service}-integration`,
      ...(await mailedTokens(visitors, slug)),
    },
  };
}

/** Leaves a sign-in pending between password and code. */
async function beforeSecondFactor(page: Page): Promise<void> {
  const { email } = await registerInBrowser(page, 'careful');
  await addAuthenticator(page);
  await forgetSession(page);
  await callApi(page, 'post', '/auth/session', { data: { email, password: PASSWORD } });
}

async function mailedTokens({ user, 'signed out': visitor }: Visitors, slug: string) {
  const tokenOf = (link: string) => link.split('/').at(-1) ?? '';
  const guest = newEmail('grace');
  await callApi(user, 'post', `/workspaces/${slug}/invitations`, {
    data: { email: guest, role: 'member' },
    team: slug,
  });
  const newcomer = newEmail('newcomer');
  await callApi(visitor, 'post', '/auth/register', { data: { email: newcomer, password: PASSWORD } });
  const { email: forgetful } = await registerInBrowser(visitor, 'forgetful');
  await forgetSession(visitor);
  await callApi(visitor, 'post', '/auth/reset-password', { data: { email: forgetful } });
  return {
    '/invite/$token': tokenOf(await mailedLink(guest, 'invitation')),
    '/verify-email/$token': tokenOf(await mailedLink(newcomer, 'verify_email')),
    '/reset-password/$token': tokenOf(await mailedLink(forgetful, 'reset_password')),
  };
}

/** Adds credits, a partially received payment and a pending one. */
async function addMoney({ user, administrator }: Visitors, slug: string): Promise<void> {
  const pay = (amount: string) =>
    callApi<{ reference: string }>(user, 'post', '/billing/top-ups', {
      data: { amount },
      team: slug,
      once: true,
    });
  const grant = (path: string, data: object) =>
    callApi(administrator, 'post', `/admin/${path}`, { data, once: true });
  const find = async (path: string, filter: object) => {
    const query = encodeURIComponent(JSON.stringify(filter));
    const [row] = await callApi<{ id: number }[]>(administrator, 'get', `/admin/${path}?filter=${query}`);
    return row?.id;
  };
  const team_id = await find('workspaces', { slug });
  await grant('credits', { team_id, amount: '10', reason: 'Sorry for the outage' });
  await grant('credits', { team_id, amount: '25', reason: 'Pilot', expires_at: inHours(24 * 30) });
  const code = `AUTUMN${Date.now()}`;
  await grant('promotion-codes', { code, percent: 20, cap: '50' });
  const { reference } = await pay('100');
  await grant(`payments/${await find('payments', { reference })}/receipts`, {
    amount: '60',
    bank_reference: reference,
  });
  await pay('1250');
  await callApi(user, 'post', '/billing/promotion-codes', { data: { code }, team: slug, once: true });
}

async function addRecords(page: Page, slug: string): Promise<void> {
  const post = (path: string, data?: unknown) =>
    callApi<{ id: number }>(page, 'post', `/admin/${path}`, { data }).then((record) => record?.id);
  const filter = encodeURIComponent(JSON.stringify({ name: 'local-teepod' }));
  const [local] = await callApi<{ id: number }[]>(page, 'get', `/admin/teepods?filter=${filter}`);
  const teepod_id = local?.id ?? 0;
  const node_id = await post('nodes', { name: 'rack1-a' });
  const gpu = await post('gpus', { teepod_id, slot: '18:00.0' });
  const team = encodeURIComponent(JSON.stringify({ slug }));
  const [workspace] = await callApi<{ id: number }[]>(page, 'get', `/admin/workspaces?filter=${team}`);
  const reserved = await post('gpus', { teepod_id, slot: '3b:00.0' });
  await post(`gpus/${reserved}/reserve`, { team_id: workspace?.id });
  const kms_id = await post('kms', { slug: 'rack1-kms', url: 'http://127.0.0.1:9' });
  await post('kms-contracts', { label: 'Base', chain: 'local', address: `0x${'ab'.repeat(20)}`, kms_id });
  const [image] = await callApi<{ id: number }[]>(page, 'get', '/admin/os-images');
  for (const scope of [{ node_id }, { teepod_id }, { kms_id }, { os_image_id: image?.id }])
    await post('announcements', { title: 'Maintenance on Sunday', text: 'Hosts restart.', ...scope });
  await post('maintenance-windows', {
    node_id,
    starts_at: inHours(48),
    ends_at: inHours(50),
    reason: 'New firmware.',
  });
  await post('views', {
    resource: 'cvms',
    name: 'Failed CVMs',
    query: 'filter={"status":"error"}',
    shared: true,
  });
  const drain = await post(`teepods/${teepod_id}/drain`, {
    movable: 'stop',
    others: 'stop',
    stop_at: inHours(24),
    reason: 'Memory is being replaced.',
  });
  // The deploy page needs a host that accepts CVMs.
  await post(`drains/${drain}/cancel`);
  await post(`teepods/${teepod_id}/uncordon`, {});
  await post('bulk-jobs', { resource: 'gpus', action: 'release', ids: [gpu], expected_total: 1 });
}
