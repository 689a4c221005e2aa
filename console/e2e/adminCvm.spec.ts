import { expect, test, type Page } from '@playwright/test';
import type { OperationId } from '../../generated/api/operations.gen';
import { heading, mayCall, ROLES, signInAs, SOON, textOf } from './staff';
import {
  accessibilityFaults,
  callApi,
  deployInBrowser,
  IMAGE,
  registerInBrowser,
  watchConsole,
} from './support';
import { photograph } from './walk';

/**
 * The addresses of the admin area that need a CVM: its ten pages, which are the console's in the frame of the admin area,
 * and the lists of an app's CVMs, below the app and below its team. As each platform role.
 */

const NAME = 'staff-walk';
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: ["httpd", "-f", "-p", "80"]
    ports:
      - "80:80"
`;

/** Last part of the address, link in the row of tabs. */
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

/** A CVM of somebody who is no staff. */
async function deployed(page: Page): Promise<{ vm_uuid: string; app_id: string; slug: string }> {
  const { slug } = await registerInBrowser(page, 'walked');
  const path = await deployInBrowser(page, slug, { name: NAME, compose: COMPOSE });
  const vm_uuid = path.split('/').at(-1) ?? '';
  const { app_id } = await callApi<{ app_id: string }>(page, 'get', `/cvms/${vm_uuid}`, { team: slug });
  return { vm_uuid, app_id, slug };
}

const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');

test('every address of a CVM and of an app in the admin area, as each platform role', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
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
          crumbs: ['Admin', 'Workspaces', /./, 'Apps', NAME, 'CVMs'],
          needs: ['getAdminWorkspace', 'getAdminApp', 'listAdminCvms'],
        },
      ];
    }

    await test.step(`${role}: the lists of an app's CVMs`, async () => {
      for (const { path, crumbs: steps, needs } of lists) {
        const what = `${role} ${path}`;
        await page.goto(path);
        if (mayCall(role, needs)) {
          await expect.soft(heading(page), what).toHaveText('CVMs', SOON);
          await expect.soft(crumbs(page), what).toHaveText(steps.map(textOf), SOON);
          await expect
            .soft(page.getByRole('table').getByRole('link', { name: NAME }), what)
            .toBeVisible(SOON);
          if (role === 'admin') expect.soft(await accessibilityFaults(page), what).toEqual([]);
        } else
          await expect
            .soft(heading(page), what)
            .toHaveText('Your platform role does not allow this page', SOON);
      }
    });

    await test.step(`${role}: the pages of the CVM`, async () => {
      for (const [path, label] of TABS) {
        const what = `${role} ${cvm}${path}`;
        if (!mayCall(role, ['getAdminCvm'])) {
          await page.goto(cvm + path);
          await expect
            .soft(page.getByRole('main').getByText(`Your platform role (${role}) does not include`), what)
            .toBeVisible(SOON);
          continue;
        }
        // The first by its address, the others as people get there; a page opened by its address is the same.
        if (path === '') await page.goto(cvm);
        else
          await page
            .getByRole('navigation', { name: `Pages of ${NAME}` })
            .getByRole('link', { name: label, exact: true })
            .click();
        await expect.soft(page, what).toHaveURL(cvm + path, SOON);
        await expect.soft(heading(page), what).toHaveText(textOf(NAME), SOON);
        await expect.soft(crumbs(page).last(), what).toHaveText(path === '' ? NAME : label, SOON);
        await expect.soft(page, what).toHaveTitle(/ · Teehouse$/, SOON);
        await expect.soft(page.getByRole('complementary', { name: 'Context' }), what).toHaveCount(1, SOON);
        if (role !== 'admin') continue;
        await expect.soft(page.locator('main [aria-busy="true"]'), what).toHaveCount(0, SOON);
        expect.soft(await accessibilityFaults(page), what).toEqual([]);
        if (process.env.E2E_PHOTOS) await photograph(page, `admin-cvm-${label.toLowerCase()}`);
      }
    });
  }
  // What is refused to who may not, the browser notes by itself.
  expect(complaints.filter((text) => !text.includes('status of 403'))).toEqual([]);
});
