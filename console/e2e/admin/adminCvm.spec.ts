import { expect, test, type Page } from '../browser';
import type { OperationId } from '../../../generated/api/operations.gen';
import { heading, mayCall, ROLES, signInAs, textOf } from '../staff';
import { accessibilityFaults, callApi, deployApp, IMAGE, registerUser, watchConsole } from '../support';
import { openAside } from '../walk';

/**
 * Opens the admin addresses that need a CVM as each platform role: its ten pages, which are the console's inside
 * the admin area, and the CVM lists of an app, below the app and below its team. An administrator opens all pages,
 * other roles a few, since one route guard covers all ten. What each role may read and change is tested in
 * server/http/platformRoles.test.ts.
 */

const NAME = 'staff-walk';
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: ["httpd", "-f", "-p", "80"]
    ports:
      - "80:80"
`;

/** Last part of the address, and its tab. */
const TABS: readonly [path: string, label: string][] = [
  ['', 'Overview'],
  ['/logs', 'Logs'],
  ['/events', 'Events'],
  ['/compose', 'Compose'],
  ['/network', 'Network'],
  ['/certificates', 'Certificates'],
  ['/kms', 'KMS'],
  ['/usage', 'Usage'],
  ['/eliza-conf', 'Agent'],
  ['/settings', 'Settings'],
];

/** Pages opened by roles other than administrators: one that is only read, and one that changes the CVM. */
const SOME = new Set(['', '/logs', '/settings']);
/** Pages opened by a refused role. */
const REFUSED = new Set(['', '/settings']);

/** Deploys a CVM as a user without a platform role. */
async function deployed(page: Page): Promise<{ vm_uuid: string; app_id: string; slug: string }> {
  const { slug } = await registerUser(page, 'walked');
  const path = await deployApp(page, slug, { name: NAME, compose: COMPOSE });
  const vm_uuid = path.split('/').at(-1) ?? '';
  const { app_id } = await callApi<{ app_id: string }>(page, 'get', `/cvms/${vm_uuid}`, { team: slug });
  return { vm_uuid, app_id, slug };
}

const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');

test('opens the CVM and app pages in the admin area as each platform role', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const owner = await browser.newContext();
  const { vm_uuid, app_id, slug } = await deployed(await owner.newPage());
  await owner.close();
  const cvm = `/admin/cvms/${vm_uuid}`;
  let lists: { path: string; crumbs: (string | RegExp)[]; needs: OperationId[] }[] = [];

  for (const role of ROLES.toReversed()) {
    await page.goto('about:blank');
    await page.context().clearCookies();
    await signInAs(page, role);
    if (role === 'admin') {
      const filter = encodeURIComponent(JSON.stringify({ slug }));
      const [team] = await callApi<{ id: number }[]>(page, 'get', `/admin/workspaces?filter=${filter}`);
      lists = [
        {
          path: `/admin/apps/${app_id}/cvms`,
          crumbs: ['Admin', 'Apps', NAME, 'CVMs'],
          needs: ['getAdminApp', 'listAdminCvms'],
        },
        {
          path: `/admin/workspaces/${team?.id}/apps/${app_id}/cvms`,
          crumbs: ['Admin', 'Teams', /./, 'Apps', NAME, 'CVMs'],
          needs: ['getAdminWorkspace', 'getAdminApp', 'listAdminCvms'],
        },
      ];
    }

    await test.step(`${role}: the CVM lists of an app`, async () => {
      for (const { path, crumbs: steps, needs } of lists) {
        const what = `${role} ${path}`;
        await page.goto(path);
        if (mayCall(role, needs)) {
          await expect.soft(heading(page), what).toHaveText('CVMs');
          await expect.soft(crumbs(page), what).toHaveText(steps.map(textOf));
          await expect.soft(page.getByRole('table').getByRole('link', { name: NAME }), what).toBeVisible();
          if (role === 'admin') expect.soft(await accessibilityFaults(page), what).toEqual([]);
        } else
          await expect.soft(heading(page), what).toHaveText('Your platform role doesn’t allow this page');
      }
    });

    await test.step(`${role}: the CVM’s pages`, async () => {
      const allowed = mayCall(role, ['getAdminCvm']);
      const some = allowed ? SOME : REFUSED;
      for (const [path, label] of role === 'admin' ? TABS : TABS.filter(([tab]) => some.has(tab))) {
        const what = `${role} ${cvm}${path}`;
        if (!allowed) {
          await page.goto(cvm + path);
          await expect
            .soft(page.getByRole('main').getByText(`Your platform role (${role}) does not include`), what)
            .toBeVisible();
          continue;
        }
        // Opens the first page by URL and the others through the tabs, like users do.
        if (path === '') await page.goto(cvm);
        else
          await page
            .getByRole('navigation', { name: `${NAME} pages` })
            .getByRole('link', { name: label, exact: true })
            .click();
        await expect.soft(page, what).toHaveURL(cvm + path);
        await expect.soft(heading(page), what).toHaveText(textOf(NAME));
        await expect.soft(crumbs(page).last(), what).toHaveText(path === '' ? NAME : label);
        await expect.soft(page, what).toHaveTitle(/ · Teehouse$/);
        await openAside(page);
        await expect.soft(page.getByRole('complementary', { name: 'Context' }), what).toHaveCount(1);
        if (role !== 'admin') continue;
        await expect.soft(page.locator('main [aria-busy="true"]'), what).toHaveCount(0);
        expect.soft(await accessibilityFaults(page), what).toEqual([]);
      }
    });
  }
  // The browser logs each refused request as an error.
  expect(complaints.filter((text) => !text.includes('status of 403'))).toEqual([]);
});
