import { expect, test } from '../browser';
import { callApi } from '../accounts';
import { deployApp, IMAGE, registerUser, watchConsole } from '../support';
import { visit, type Visit } from '../walk';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: httpd -f -p 80
`;

const MONEY = [
  ['/cost', 'Cost'],
  ['/cost?tab=reservations', 'Cost'],
  ['/usage', 'Usage'],
  ['/transactions', 'Transactions'],
  ['/transactions?tab=invoices', 'Transactions'],
  ['/setup-billing', 'Billing'],
  ['/debt-settlement', 'Debt settlement'],
] as const;
const ACCOUNT = ['', 'security', 'sso', 'sessions', 'ssh-keys', 'wallets', 'notifications', 'data'];

/** The pages whose addresses name no team, which routes.spec.ts doesn't visit. */
test('opens every billing and account page', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'payer');
  await deployApp(page, slug, { name: 'paid-app', compose: COMPOSE });
  await callApi(page, 'post', '/billing/top-ups', { data: { amount: '25' }, team: slug, once: true });
  const pages: Visit[] = [
    ...MONEY.map(([path, title]) => ({ path, title, crumbs: [title], aside: false })),
    ...ACCOUNT.map((section) => ({
      path: `/account/settings?section=${section}`,
      title: 'Account settings',
      crumbs: null,
      aside: false,
    })),
  ];
  for (const one of pages) await visit(page, one);
  expect(complaints).toEqual([]);
});
