import { expect, test, type Page } from '../browser';
import { adminMenu } from '../../../generated/api/adminMenu.gen';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { heading, mayCall, openAdminAs, ROLES, signInAs, textOf } from '../staff';
import {
  accessibilityFaults,
  callApi,
  expectNoSidewaysScroll,
  expectTablesFit,
  watchConsole,
} from '../support';
import { openAside } from '../walk';

/**
 * Opens every admin address as an administrator and checks heading, breadcrumb and aside against the specification,
 * plus accessibility and the browser's console. As each other platform role, opens one page per kind and
 * permission, and expects the page or the reason for the refusal. Access is read from the API document by each
 * page's operation. Each role's permissions and menu are tested without a browser in
 * server/http/platformRoles.test.ts and admin/frame/menu.test.ts.
 */

interface Route {
  path: string;
  title: string | RegExp;
  /** Breadcrumbs after "Admin"; a name known only to the server is a pattern. */
  crumbs: readonly (string | RegExp)[];
  aside: boolean;
  /** Visible to roles with access to all of these operations. */
  needs: readonly OperationId[];
}

interface Records {
  node: number;
  teepod: number;
  gpu: number;
  kms: number;
  contract: number;
  announcement: number;
  user: number;
  team: number;
}

const unique = () => Math.random().toString(36).slice(2, 8);
const name = `walk-${unique()}`;

/** One record of each kind; every server already has the teepod. */
async function makeRecords(page: Page): Promise<Records> {
  const post = (path: string, data: unknown) =>
    callApi<{ id: number }>(page, 'post', `/admin/${path}`, { data }).then(({ id }) => id);
  const newest = async (path: string, filter: object = {}) => {
    const query = `sort=["id","DESC"]&range=[0,0]&filter=${encodeURIComponent(JSON.stringify(filter))}`;
    const [first] = await callApi<{ id: number }[]>(page, 'get', `/admin/${path}?${query}`);
    return first?.id ?? 0;
  };
  const teepod = await newest('teepods', { name: 'local-teepod' });
  return {
    teepod,
    node: await post('nodes', { name }),
    gpu: await post('gpus', {
      teepod_id: teepod,
      slot: `${unique()
        .replace(/[^0-9a-f]/g, '0')
        .slice(0, 2)}:00.0`,
    }),
    kms: await post('kms', { slug: name, url: 'http://127.0.0.1:9' }),
    contract: await post('kms-contracts', {
      label: name,
      chain: 'local',
      address: `0x${'ab'.repeat(20)}`,
    }),
    announcement: await post('announcements', {
      title: name,
      text: 'Read by nobody yet.',
    }),
    user: await newest('users'),
    team: await newest('workspaces'),
  };
}

const any = /./;

function routesOf(ids: Records): Route[] {
  const list = (path: string, title: string | RegExp, needs: OperationId, aside = true): Route => ({
    path,
    title,
    crumbs: [title],
    aside,
    needs: [needs],
  });
  const below = (
    path: string,
    parent: string,
    title: string | RegExp,
    needs: OperationId[],
    own: string | RegExp = any,
  ): Route => ({
    path,
    title,
    crumbs: [parent, own, typeof title === 'string' && title.startsWith('Edit ') ? 'Edit' : any],
    aside: true,
    needs,
  });
  const teepod = `infra/teepods/${ids.teepod}`;
  const [user, team] = [`users/${ids.user}`, `workspaces/${ids.team}`];
  return [
    { path: '', title: any, crumbs: [], aside: false, needs: [] },
    list('announcements', 'Announcements', 'listAdminAnnouncements'),
    {
      path: 'announcements/create',
      title: 'Add announcement',
      crumbs: ['Announcements', 'Add'],
      aside: true,
      needs: ['createAdminAnnouncement'],
    },
    below(
      `announcements/${ids.announcement}/affected-users`,
      'Announcements',
      any,
      ['getAdminAnnouncement', 'listAdminAnnouncementUsers'],
      name,
    ),
    list('cvms', 'CVMs', 'listAdminCvms'),
    list('infra', any, 'listAdminNodes', false),
    list('infra/gpus', 'GPUs', 'listAdminGpus'),
    {
      path: 'infra/gpus/create',
      title: 'Add GPU',
      crumbs: ['GPUs', 'Add'],
      aside: true,
      needs: ['createAdminGpu'],
    },
    {
      path: `infra/gpus/${ids.gpu}`,
      title: any,
      crumbs: ['GPUs', any],
      aside: true,
      needs: ['getAdminGpu'],
    },
    below(`infra/gpus/${ids.gpu}/allocation`, 'GPUs', any, ['getAdminGpu']),
    list('infra/kms', 'KMS', 'listAdminKms'),
    {
      path: 'infra/kms/create',
      title: /^Add KMS$/,
      crumbs: ['KMS', 'Add'],
      aside: true,
      needs: ['createAdminKms'],
    },
    {
      path: `infra/kms/${ids.kms}`,
      title: name,
      crumbs: ['KMS', name],
      aside: true,
      needs: ['getAdminKms'],
    },
    below(`infra/kms/${ids.kms}/edit`, 'KMS', `Edit ${name}`, ['getAdminKms', 'updateAdminKms'], name),
    below(`infra/kms/${ids.kms}/relationships`, 'KMS', any, ['getAdminKms'], name),
    list('infra/kms-contracts', 'KMS contracts', 'listAdminKmsContracts'),
    {
      path: 'infra/kms-contracts/create',
      title: 'Add KMS contract',
      crumbs: ['KMS contracts', 'Add'],
      aside: true,
      needs: ['createAdminKmsContract'],
    },
    {
      path: `infra/kms-contracts/${ids.contract}`,
      title: name,
      crumbs: ['KMS contracts', name],
      aside: true,
      needs: ['getAdminKmsContract'],
    },
    below(
      `infra/kms-contracts/${ids.contract}/edit`,
      'KMS contracts',
      `Edit ${name}`,
      ['getAdminKmsContract', 'updateAdminKmsContract'],
      name,
    ),
    list('infra/nodes', 'Nodes', 'listAdminNodes'),
    {
      path: 'infra/nodes/create',
      title: 'Add node',
      crumbs: ['Nodes', 'Add'],
      aside: true,
      needs: ['createAdminNode'],
    },
    {
      path: `infra/nodes/${ids.node}`,
      title: name,
      crumbs: ['Nodes', name],
      aside: true,
      needs: ['getAdminNode'],
    },
    below(`infra/nodes/${ids.node}/edit`, 'Nodes', `Edit ${name}`, ['getAdminNode', 'updateAdminNode'], name),
    below(`infra/nodes/${ids.node}/teepods`, 'Nodes', 'Teepods', ['getAdminNode', 'listAdminTeepods'], name),
    list('infra/os-images', 'OS images', 'listAdminOsImages'),
    list('infra/teepods', 'Teepods', 'listAdminTeepods'),
    {
      path: 'infra/teepods/create',
      title: 'Add teepod',
      crumbs: ['Teepods', 'Add'],
      aside: true,
      needs: ['createAdminTeepod'],
    },
    {
      path: teepod,
      title: 'local-teepod',
      crumbs: ['Teepods', 'local-teepod'],
      aside: true,
      needs: ['getAdminTeepod'],
    },
    below(`${teepod}/edit`, 'Teepods', 'Edit local-teepod', ['updateAdminTeepod']),
    below(`${teepod}/gpus`, 'Teepods', 'GPUs', ['getAdminTeepod', 'listAdminGpus']),
    {
      path: `${teepod}/gpus/create`,
      title: /^Add GPU: /,
      crumbs: ['Teepods', 'local-teepod', 'GPUs', 'Add'],
      aside: true,
      needs: ['createAdminGpu'],
    },
    {
      path: `${teepod}/gpus/${ids.gpu}/edit`,
      title: /^Edit /,
      crumbs: ['Teepods', 'local-teepod', 'GPUs', any, 'Edit'],
      aside: true,
      needs: ['updateAdminGpu'],
    },
    below(`${teepod}/hosted-cvms`, 'Teepods', any, ['getAdminTeepod']),
    below(`${teepod}/kms`, 'Teepods', any, ['getAdminTeepod']),
    below(`${teepod}/managed-cvms`, 'Teepods', any, ['getAdminTeepod']),
    below(`${teepod}/os-images`, 'Teepods', any, ['getAdminTeepod']),
    below(`${teepod}/placement`, 'Teepods', any, ['getAdminTeepod']),
    below(`${teepod}/teams`, 'Teepods', any, ['getAdminTeepod']),
    list('instance-events', 'Instance events', 'listAdminInstanceEvents'),
    list('instance-types', 'Instance types', 'listAdminInstanceTypes'),
    list('ledger', 'Ledger health', 'getAdminLedger', false),
    list('system/queue-workers', any, 'listAdminQueues', false),
    list('system/telegram-integration', any, 'getAdminChat', false),
    list('templates', 'Templates', 'listAdminTemplates'),
    list('users', 'Users', 'listAdminUsers'),
    {
      path: user,
      title: any,
      crumbs: ['Users', any],
      aside: true,
      needs: ['getAdminUser'],
    },
    below(`${user}/billing`, 'Users', any, ['getAdminUser', 'getAdminUserBilling']),
    below(`${user}/transactions`, 'Users', 'Transactions', ['getAdminUser', 'listAdminTransactions']),
    below(`${user}/cvms`, 'Users', 'CVMs', ['getAdminUser', 'listAdminCvms']),
    below(`${user}/usage`, 'Users', 'Usage', ['getAdminUser', 'listAdminUsage']),
    list('workspaces', 'Teams', 'listAdminWorkspaces'),
    {
      path: team,
      title: any,
      crumbs: ['Teams', any],
      aside: true,
      needs: ['getAdminWorkspace'],
    },
    below(`${team}/apps`, 'Teams', 'Apps', ['getAdminWorkspace', 'listAdminApps']),
    below(`${team}/cvms`, 'Teams', 'CVMs', ['getAdminWorkspace', 'listAdminCvms']),
    below(`${team}/gpus`, 'Teams', 'GPUs', ['getAdminWorkspace', 'listAdminGpus']),
    below(`${team}/members`, 'Teams', 'Members', ['getAdminWorkspace', 'listAdminMembers']),
    below(`${team}/teepods`, 'Teams', 'Teepods', ['getAdminWorkspace', 'listAdminTeepods']),
  ];
}

/** The menu's entries without a route above. Their headings and asides have no specification. */
function otherEntries(routes: readonly Route[]): Route[] {
  const known = new Set(routes.map(({ path }) => `/admin/${path}`));
  return adminMenu
    .filter(({ href }) => !known.has(href) && !href.includes('{'))
    .map(({ href }) => ({
      path: href.replace('/admin/', ''),
      title: any,
      crumbs: [],
      aside: false,
      needs: [],
    }));
}

/** Returns the part of an address that determines its access check: `/:id/edit`, or `/:id/*` below a record. */
const kindOf = (path: string): string =>
  path
    .replace(/^.*?(?=\/\d|\/create|$)/, '')
    .replace(/\d+/g, ':id')
    .replace(/(?<=:id\/)(?!edit$)[a-z-]+/, '*');

/** Returns the first page of each kind that requires the same permissions. */
function onePerPermission(routes: readonly Route[]): Route[] {
  const first = new Map<string, Route>();
  for (const route of routes) {
    const permissions = route.needs.map((id) => operations[id].permission);
    const key = [kindOf(route.path), ...permissions].join(' ');
    if (!first.has(key)) first.set(key, route);
  }
  return [...first.values()];
}

/** Titles of the pages shown instead of the requested one. */
const REFUSED = /not found|stopped working|doesn’t allow|don’t have access/i;

/** Opens another page of the loaded app, like a link would. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    // Numbered like the router's own entries, so that it knows the direction.
    const { idx = 0 } = (history.state ?? {}) as { idx?: number };
    history.pushState({ idx: idx + 1, key: String(idx + 1), usr: null }, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

let records: Records;
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  await signInAs(page, 'admin');
  records = await makeRecords(page);
  await page.close();
});

// An administrator opens about 105 pages; leaves headroom for a busy machine.
test.describe.configure({ timeout: 600_000 });

test('opens every admin page as an administrator', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAdminAs(page, 'admin');
  const routes = routesOf(records);
  for (const { path, title, crumbs, aside } of [...routes, ...otherEntries(routes)]) {
    const address = path === '' ? '/admin' : `/admin/${path}`;
    await go(page, address);
    await expect.soft(heading(page), address).toHaveText(textOf(title));
    await expect.soft(heading(page), address).not.toHaveText(REFUSED);
    const steps = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
    if (crumbs.length > 0) await expect.soft(steps, address).toHaveText(['Admin', ...crumbs].map(textOf));
    if (aside) {
      await openAside(page);
      await expect.soft(page.getByRole('complementary', { name: 'Context' }), address).toHaveCount(1);
    }
    await expect.soft(page.locator('[aria-busy="true"]'), address).toHaveCount(0);
    await expectNoSidewaysScroll(page);
    await expectTablesFit(page, address);
    expect.soft(await accessibilityFaults(page), address).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

for (const role of ROLES.filter((one) => one !== 'admin'))
  test(`${role} opens permitted admin pages, and sees the reason on the others`, async ({ page }) => {
    const complaints = watchConsole(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAdminAs(page, role);
    for (const { path, title, needs } of onePerPermission(routesOf(records))) {
      const address = path === '' ? '/admin' : `/admin/${path}`;
      await go(page, address);
      if (mayCall(role, needs)) {
        await expect.soft(heading(page), address).toHaveText(textOf(title));
        await expect.soft(heading(page), address).not.toHaveText(REFUSED);
      } else {
        await expect.soft(heading(page), address).toHaveText('Your platform role doesn’t allow this page');
        await expect
          .soft(page.getByRole('main').getByText(`Your platform role (${role}) doesn’t include`), address)
          .toBeVisible();
      }
    }
    expect(complaints).toEqual([]);
  });
