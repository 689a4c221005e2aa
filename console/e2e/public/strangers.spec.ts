import { openTeam, registerOn, startOwnServer } from '../ownServer';
import { expect, test, type Page } from '../browser';
import { newEmail, PASSWORD, signIn, watchConsole } from '../support';

/** Reads the link that the server mailed, from the administrator's outbox of a server without mail. */
async function mailed(admin: Page, url: string, email: string): Promise<string> {
  const filter = encodeURIComponent(JSON.stringify({ to: email, template: 'verify_email' }));
  const read = async <T>(path: string) =>
    (await (await admin.request.get(`${url}/api/v1${path}`)).json()) as T;
  let link = '';
  await expect
    .poll(async () => {
      const [mail] = await read<{ id: number }[]>(`/admin/outbox?filter=${filter}&range=[0,0]`);
      const text = mail ? (await read<{ text: string | null }>(`/admin/outbox/${mail.id}`)).text : null;
      return (link = /\/verify-email\/thk_\w+/.exec(text ?? '')?.[0] ?? '');
    })
    .toBeTruthy();
  return link;
}

const TEMPLATES: readonly [id: string, name: string, image: string][] = [
  ['postgresql', 'PostgreSQL', 'postgres:17-alpine@sha256'],
  ['valkey', 'Valkey', 'valkey/valkey:'],
];

test('visitors who click Deploy on a template end up with it running', async ({ browser, page: admin }) => {
  const server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate' });
  try {
    await registerOn(server, admin, 'operator');
    await openTeam(server, admin);
    for (const [id, name, image] of TEMPLATES) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const complaints = watchConsole(page);
      await page.goto(`${server.url}/templates`);
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('link', { name: `Deploy ${name}` }).click();
      await page.waitForURL('**/login**');
      await page.getByRole('link', { name: 'Create one' }).click();
      await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();
      const email = newEmail(id);
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByText('Check your email')).toBeVisible();

      // The link opens another tab, which leads back to the template.
      const tab = await context.newPage();
      const inTab = watchConsole(tab);
      await tab.goto(server.url + (await mailed(admin, server.url, email)));
      await tab.getByRole('button', { name: 'Confirm' }).click();
      await tab.getByRole('link', { name: 'Go to sign in' }).click();
      await signIn(tab, email);
      const form = tab.getByRole('form', { name });
      await expect(form).toBeVisible();
      await form.getByRole('button', { name: 'Continue' }).click();
      await tab.waitForURL('**/deploy');
      await expect(tab.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText(image);
      await tab.getByRole('button', { name: 'Deploy', exact: true }).click();
      await tab.waitForURL('**/cvms/**');
      await expect(tab.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
      expect([complaints, inTab]).toEqual([[], []]);
      await context.close();
    }
  } finally {
    await server.stop();
  }
});
