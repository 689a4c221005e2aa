import { expect, it } from 'vitest';
import type { App, Session } from '../../generated/api/types.gen';
import { rank } from '../ui/layout/fuzzy';
import { placeNameOf, placeOf } from './place';
import type { SlotMatch } from './crumbs';
import { foundPlaces } from './foundPlaces';
import { staffCommands, staffSearch } from './staffCommands';
import { publicPages } from './publicCommands';
import { memberActions, startCommands, teamPages } from './teamCommands';
import { nothingTo, verbCommands, withoutVerb } from './verbCommands';

const session = (over: Partial<Session> = {}) =>
  ({
    user: { id: 'usr_self' },
    platform_role: 'support',
    platform_permissions: ['admin.infra.write', 'admin.users.view_as'],
    ...over,
  }) as unknown as Session;

const user = (id: number, over: object = {}) => ({
  id,
  public_id: `usr_${id}`,
  username: `alice-${id}`,
  email: null,
  state: 'active' as const,
  platform_role: null,
  ...over,
});

const labels = (query: string, found: Partial<Parameters<typeof staffCommands>[2]>, over = {}) =>
  staffCommands(session(over), query, { teepods: undefined, users: undefined, ...found }).map(
    ({ label }) => label,
  );

it('remembers a page by an address that opens it again', () => {
  expect(placeOf('acme', '/acme/members', 'audit')).toBe('/acme/members?tab=audit');
  expect(placeOf('acme', '/acme/members', null)).toBe('/acme/members');
  expect(placeOf('acme', '/cost', null)).toBe('/cost?team=acme');
  expect(placeOf('acme', '/acme/tokens', 'x')).toBe('/acme/tokens');
  // The page shows the members for this tab.
  expect(placeOf('acme', '/acme/members', 'xyz')).toBe('/acme/members');
});

it('remembers pages by their own names, even without a team in their address', () => {
  const root = { pathname: '/', params: {}, staticData: { crumb: null } };
  const page = (pathname: string, staticData: SlotMatch['staticData'], more: Partial<SlotMatch> = {}) =>
    placeNameOf('acme', pathname, [
      root,
      ...(pathname.startsWith('/acme')
        ? [{ pathname: '/acme', params: {}, loaderData: { crumb: 'Acme' }, staticData: { crumb: 'acme' } }]
        : []),
      { pathname, params: {}, staticData, ...more },
    ]);
  expect(page('/cost', { crumb: 'Cost' })).toBe('Cost');
  expect(page('/setup-billing', { crumb: null, title: 'Billing' })).toBe('Billing');
  expect(page('/dashboard/gpu-tee', { crumb: null, title: 'GPU TEE' })).toBe('GPU TEE');
  expect(page('/acme/tokens', { crumb: 'API tokens' })).toBe('API tokens');
  // Excludes redirects and pages that failed.
  expect(page('/dashboard', { crumb: null, title: 'Dashboard' })).toBe('');
  expect(page('/acme/apps/ab12', { crumb: 'ab12' }, { status: 'error', error: { status: 404 } })).toBe('');
});

/** A member who can read the team's costs. */
const permissions = ['billing.read', 'tokens.read', 'webhooks.read', 'team.audit'] as const;
const payer = { staff: false, permissions };

it('lists matching apps and CVMs before commands, and a few apps before the pages', () => {
  const apps = Array.from({ length: 30 }, (_, i) => ({
    app_id: `app${i}`,
    name: i === 0 ? 'my-usage' : `app-${i}`,
    cvm_count: 1,
    cvms: [{ vm_uuid: `uuid-${i}`, instance_id: null, name: `usage-${i}`, status: 'running' }],
  })) as unknown as App[];
  const commands = (hasQuery: boolean) => [
    ...foundPlaces(apps, 'acme', hasQuery),
    ...teamPages('acme', payer),
    ...startCommands('acme'),
  ];
  const found = rank('usage', commands(true), 60).map(({ item }) => item.label);
  expect(found.slice(0, 2)).toEqual(['usage-0', 'usage-1']);
  expect(found.indexOf('my-usage')).toBeLessThan(found.indexOf('Usage'));
  // The pages stay visible while the query is empty.
  expect(commands(false).findIndex(({ group }) => group === 'Pages')).toBe(5);
});

it('lists every page once, findable by other words, too', () => {
  const pages = teamPages('acme', { ...payer, staff: true });
  expect(pages.map(({ href }) => href)).toEqual([
    '/acme',
    '/acme/deploy',
    '/dashboard/confidential-ai-api?team=acme',
    '/dashboard/gpu-tee?team=acme',
    '/acme/members',
    '/acme/tokens',
    '/setup-billing?team=acme',
    '/cost?team=acme',
    '/usage?team=acme',
    '/transactions?team=acme',
    '/acme/members?tab=webhooks',
    '/acme/members?tab=audit',
    '/acme/members?tab=settings',
    '/admin',
    '/dashboard/confidential-ai-models?team=acme',
    '/transactions?team=acme&tab=invoices',
    '/cost?team=acme&tab=reservations',
    '/debt-settlement?team=acme',
    '/acme/members?tab=roles',
    '/acme/members?tab=security',
  ]);
  expect(pages.filter(({ keywords }) => !keywords)).toEqual([]);
  expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  expect(teamPages('acme', payer).map(({ label }) => label)).not.toContain('Admin area');
});

it('lists the public pages, except hidden ones', () => {
  const pages = publicPages('eliza', (path) => path === '/cases');
  expect(pages.map(({ label }) => label)).toEqual([
    'About Teehouse',
    'How billing works',
    'Pricing',
    'Template gallery',
    'MCP hosting',
    'GPU TEE overview',
    'Explorer',
    'Verify an app',
    'Agents with eliza',
    'API reference',
  ]);
  expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  // A team's own pages come first.
  const all = [...teamPages('acme', payer), ...startCommands('acme'), ...pages];
  const first = (query: string) => rank(query, all, 1).map(({ item }) => item.href ?? item.label);
  expect(first('billing')).toEqual(['/setup-billing?team=acme']);
  expect(first('gpu')).toEqual(['/dashboard/gpu-tee?team=acme']);
  expect(first('explorer')).toEqual(['Explorer']);
  expect(first('api reference')).toEqual(['/docs']);
});

it('leaves out pages and actions that the role doesn’t allow', () => {
  const hrefs = teamPages('acme', { staff: false, permissions: [] }).map(({ href }) => href);
  const closed = /setup-billing|cost|usage|transactions|debt|tokens|webhooks|audit/;
  expect(hrefs.filter((href) => closed.test(href ?? ''))).toEqual([]);
  expect(hrefs).toContain('/acme/members');
  expect(memberActions('acme', [])).toEqual([]);
  expect(memberActions('acme', ['tokens.write']).map(({ label }) => label)).toEqual(['Create API token']);
});

it.each([
  ['billing', '/setup-billing?team=acme'],
  ['cost', '/cost?team=acme'],
  ['usage', '/usage?team=acme'],
  ['transactions', '/transactions?team=acme'],
  ['invoices', '/transactions?team=acme&tab=invoices'],
  ['confidential ai', '/dashboard/confidential-ai-api?team=acme'],
  ['ai models', '/dashboard/confidential-ai-models?team=acme'],
  ['debt', '/debt-settlement?team=acme'],
  ['gpu', '/dashboard/gpu-tee?team=acme'],
  ['deploy', '/acme/deploy'],
  ['template', '/acme/launch?way=template'],
  ['mcp server', '/acme/launch?way=mcp'],
  ['start from an existing app', '/acme/launch?way=copy'],
])('finds “%s”', (query, href) => {
  const [first] = rank(query, [...teamPages('acme', payer), ...startCommands('acme')], 5);
  expect(first?.item.href).toBe(href);
});

it('offers cordon or uncordon, whichever was typed and the state allows', () => {
  const teepods = [
    { id: 1, name: 'eu-1', state: 'online' as const },
    { id: 2, name: 'eu-2', state: 'cordoned' as const },
  ];
  const always = ['Cordon a teepod', 'Drain a teepod'];
  expect(labels('cordon eu', { teepods })).toEqual([...always, 'Cordon eu-1', 'View as a user']);
  expect(labels('uncordon eu', { teepods })).toEqual([...always, 'Uncordon eu-2', 'View as a user']);
});

it('offers to drain a teepod by its name', () => {
  expect(staffSearch('drain eu')).toEqual({ host: 'eu', user: null });
  const teepods = [
    { id: 1, name: 'eu-1', state: 'online' as const },
    { id: 2, name: 'eu-2', state: 'cordoned' as const },
    { id: 3, name: 'eu-3', state: 'draining' as const },
  ];
  const found = staffCommands(session(), 'drain eu', { teepods, users: undefined });
  expect(found.map(({ label }) => label).slice(2, -1)).toEqual(['Drain eu-1', 'Drain eu-2']);
  const [first] = rank('drain eu-2', found, 1);
  expect(first?.item.href).toBe('/admin/infra/teepods/2?action=drain');
});

it('offers “view as” only for users the server allows', () => {
  const users = [
    user(1),
    user(2, { state: 'suspended' }),
    user(3, { public_id: 'usr_self' }),
    user(4, { platform_role: 'finance' }),
  ];
  const may = { platform_permissions: ['admin.users.view_as'] };
  expect(labels('view as alice', { users }, may)).toEqual(['View as a user', 'View as alice-1']);
  expect(labels('view as alice', { users }, { ...may, platform_role: 'admin' })).toEqual([
    'View as a user',
    'View as alice-1',
    'View as alice-4',
  ]);
});

const appOf = (name: string, status: string) =>
  ({
    name,
    cvms: [{ id: name, name, status, vm_uuid: `uuid-${name}`, in_progress: false, operation: null }],
  }) as unknown as App;
const member = { operate: true, change: true };

it('lists first what a verb without a name applies to', () => {
  expect(['start', 'logs', 'stop ', 'start api'].map(withoutVerb)).toEqual(['', '', '', 'api']);
  const verbs = [appOf('api', 'stopped'), appOf('web', 'running')].flatMap((app) =>
    verbCommands(app, 'acme', member),
  );
  const commands = [...teamPages('acme', payer), ...startCommands('acme'), ...verbs];
  const found = (query: string, most: number) => rank(query, commands, most).map(({ item }) => item.label);
  expect(found('start', 1)).toEqual(['Start api']);
  expect(found('stop', 1)).toEqual(['Stop web']);
  expect(found('logs', 2)).toEqual(['Open logs of api', 'Open logs of web']);
});

it('finds an app’s and its CVMs’ updates, even by “deploy”', () => {
  const { cvms } = appOf('web-1', 'running');
  const app = { app_id: 'ab12', name: 'shop', cvms, current_cvm: cvms[0] } as unknown as App;
  const found = (query: string, may = member) =>
    rank(query, [...startCommands('acme'), ...verbCommands(app, 'acme', may)], 3).map(({ item }) => [
      item.label,
      item.href,
    ]);
  const href = '/acme/cvms/uuid-web-1/compose';
  expect(withoutVerb('update shop')).toBe('shop');
  expect(found('update shop')[0]).toEqual(['Update shop', href]);
  expect(found('update web')[0]).toEqual(['Update web-1', href]);
  expect(found('deploy shop').map(([label]) => label)).toContain('Update shop');
  expect(found('update shop', { operate: true, change: false })).toEqual([]);
  const busy = { ...app, cvms: cvms.map((cvm) => ({ ...cvm, in_progress: true })) };
  expect(verbCommands(busy, 'acme', member).filter(({ id }) => id.startsWith('update-'))).toEqual([]);
});

it('says if a verb applies to no CVM', () => {
  const verbs = verbCommands(appOf('api', 'stopped'), 'acme', member);
  const labelsOf = (query: string, may = member) =>
    nothingTo(query, 'acme', may, verbs).map(({ label }) => label);
  expect(labelsOf('stop')).toEqual(['Stop: no CVM can do this right now']);
  expect(labelsOf('start')).toEqual([]);
  expect(labelsOf('stop', { operate: false, change: false })).toEqual([]);
});
