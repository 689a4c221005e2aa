import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { expectAccessible, expectNoSidewaysScroll, watchConsole } from '../support';
import { addOwnHost, deployOn } from './ownHost';

const photograph = async (page: Page, name: string) => {
  if (process.env.E2E_PHOTOS)
    await page.screenshot({ path: `${process.env.E2E_PHOTOS}/${name}.png`, fullPage: true });
};

/** A host that temporarily doesn't list a VM, as seen by its operator and the VM's owner. */
test('a VM that its host doesn’t list is waited for, and its CVM runs again with its disk', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  const host = await addOwnHost(page);
  const name = `away-${host.name}`;
  const vm_uuid = await deployOn(page, host, name);
  const listed = await fetch(`${host.fake.url}/prpc/Status?json`, { method: 'POST', body: '{}' });
  const { vms } = (await listed.json()) as { vms: { id: string }[] };
  const id = vms[0]?.id ?? '';
  const created = () => host.fake.requests.filter((path) => path.includes('/prpc/CreateVm')).length;
  const before = created();
  const cvmPage = `/${host.team}/cvms/${vm_uuid}`;
  const notice = page
    .getByRole('main')
    .getByRole('note')
    .filter({ hasText: `${name} is lost.` });

  await test.step('the host no longer lists it', async () => {
    host.fake.hidden.add(id);
    await page.goto(cvmPage);
    await expect(notice).toBeVisible({ timeout: 150_000 });
    await expect(notice).toContainText('Last listed');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await photograph(page, 'lost-owner-390');
    await page.setViewportSize({ width: 1280, height: 900 });
    await photograph(page, 'lost-owner-1280');
  });

  await test.step('its operator sees which CVM is lost, and on which host', async () => {
    await page.goto(`/admin/infra/teepods/${host.id}`);
    await expect(page.getByRole('heading', { level: 1, name: host.name })).toBeVisible();
    await photograph(page, 'lost-operator-host');
    await page.goto(`/admin/cvms?filter=${encodeURIComponent(JSON.stringify({ status: 'lost' }))}`);
    await expect(page.getByRole('main').getByText(name).first()).toBeVisible();
    await photograph(page, 'lost-operator-cvms');
  });

  await test.step('it runs again once it is listed, and was never created a second time', async () => {
    host.fake.hidden.delete(id);
    await page.goto(cvmPage);
    await expect(notice).toBeHidden({ timeout: 150_000 });
    await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible();
    expect(created()).toBe(before);
    expect(host.fake.requests.some((path) => path.includes('/prpc/RemoveVm'))).toBe(false);
    await photograph(page, 'back-owner');
  });
  expect(complaints).toEqual([]);
  await host.fake.close();
});
