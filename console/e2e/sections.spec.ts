import { expect, test, type Page } from './browser';
import { hostJoined, registerOn, startOwnServer, type OwnServer } from './ownServer';

/** Distances between the sections of a page. The CVM is simulated, so this needs no Docker. */

const MIN_GAP = 24;
const WIDTHS = [1280, 390];
const COMPOSE = `services:
  web:
    image: nginx:1.27
    ports:
      - "80:80"
`;

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate' });
});
test.afterAll(() => server?.stop());

interface Gap {
  section: string;
  px: number;
}

/** Measures the gap between each section and the one above. The page's title and tabs have their own spacing. */
const gapsOf = (page: Page): Promise<Gap[]> =>
  page.getByRole('main').evaluate((main) => {
    const shown = (element: Element) => element.getBoundingClientRect().height > 1;
    const above = (element: Element): Element | null => {
      for (let from: Element = element; from !== main && from.parentElement; from = from.parentElement)
        for (let at = from.previousElementSibling; at; at = at.previousElementSibling)
          if (shown(at)) return at;
      return null;
    };
    return [...main.querySelectorAll('section')]
      .filter((section) => shown(section) && !section.parentElement?.closest('section'))
      .flatMap((section) => {
        const other = above(section);
        if (!other || other.matches('nav') || other.querySelector('h1')) return [];
        const [top, bottom] = [section.getBoundingClientRect(), other.getBoundingClientRect()];
        // Sections side by side have no vertical gap.
        if (top.left >= bottom.right || bottom.left >= top.right) return [];
        const name = section.querySelector('h2, h3')?.textContent ?? 'unnamed';
        return [{ section: name, px: Math.round(top.top - bottom.bottom) }];
      });
  });

/** Calls the server's API as the signed-in user. */
async function call<T>(page: Page, path: string, team?: string, data?: object): Promise<T> {
  const answer = await page.request.fetch(`${server.url}/api/v1${path}`, {
    method: data === undefined ? 'GET' : 'POST',
    headers: { Origin: server.url, ...(team === undefined ? {} : { 'X-Workspace': team }) },
    ...(data === undefined ? {} : { data }),
  });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
}

/** Deploys through the API, since the form has its own tests, and waits until the CVM runs. */
async function deploy(page: Page, team: string): Promise<{ vm_uuid: string; app_id: string }> {
  await hostJoined(server, page, team);
  const made = await call<{ app_id: string; compose_hash: string }>(page, '/cvms/provision', team, {
    name: 'spaced',
    instance_type: 'tdx.small',
    compose_file: { name: 'spaced', docker_compose_file: COMPOSE },
  });
  const { app_id, compose_hash } = made;
  const { vm_uuid } = await call<{ vm_uuid: string }>(page, '/cvms', team, { app_id, compose_hash });
  await expect
    .poll(() => call<object>(page, `/cvms/${vm_uuid}`, team), { timeout: 90_000 })
    .toMatchObject({ in_progress: false, status: 'running' });
  return { vm_uuid, app_id };
}

test('keeps sections apart on every page', async ({ page }) => {
  await registerOn(server, page, 'gaps');
  const { data } = await call<{ data: { slug: string }[] }>(page, '/workspaces');
  const slug = data[0]?.slug ?? '';
  const { vm_uuid, app_id } = await deploy(page, slug);
  const cvm = `/${slug}/cvms/${vm_uuid}`;
  const app = `/${slug}/apps/${app_id}`;

  /** Each page with the section that appears last while it loads. */
  const pages: [path: string, last: string | RegExp][] = [
    [`/${slug}`, 'Recent events'],
    [cvm, 'Recent activity'],
    [`${cvm}/network`, 'Inside the CVM'],
    [`${cvm}/kms`, 'Data access'],
    [`${cvm}/certificates`, 'Verify without this console'],
    [`${cvm}/compose`, 'Visibility'],
    [`${cvm}/usage`, 'Cost'],
    [`${cvm}/events`, 'Events'],
    [`${cvm}/settings`, 'Delete'],
    [app, 'Recent events'],
    [`${app}/usage`, 'Cost'],
    [`/${slug}/members`, 'Pending invitations'],
    [`/${slug}/members?tab=roles`, 'Permissions by role'],
    [`/${slug}/members?tab=security`, /single sign-on/i],
    [`/${slug}/members?tab=settings`, 'Delete team'],
    [`/${slug}/tokens`, 'Secret scanning'],
    [`/${slug}/deploy`, 'Location'],
    [`/setup-billing?team=${slug}`, 'Billing details'],
    [`/usage?team=${slug}`, /^Apps/],
    [`/cost?team=${slug}`, 'Current prices'],
    // The server's first user administers it.
    ['/admin', 'Queues'],
    ['/admin/infra/teepods/1', 'Danger zone'],
    ['/admin/system/settings', 'Log level'],
    ['/account/settings', 'Password'],
    ['/account/settings?section=security', 'Vault'],
    ['/account/settings?section=notifications', 'Quiet hours'],
    ['/account/settings?section=data', 'Delete account'],
  ];
  for (const [path, last] of pages) {
    await page.goto(`${server.url}${path}`);
    await expect(
      page.getByRole('main').getByRole('heading', { level: 2, name: last, exact: true }).first(),
      path,
    ).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const gaps = await gapsOf(page);
      expect.soft(gaps.length, `${path} at ${width} px has two sections`).toBeGreaterThan(0);
      expect
        .soft(
          gaps.filter(({ px }) => px < MIN_GAP),
          `${path} at ${width} px`,
        )
        .toEqual([]);
    }
  }
});
