import { startMailServer } from '../../../server/drivers/mail/testing/mailServer';
import { expect, test } from '../browser';
import { openTeam, registerOn, startOwnServer } from '../ownServer';
import { newEmail, signIn, watchConsole, writeCompose } from '../support';

const compose = (tag: string) => `services:\n  web:\n    image: nginx:${tag}\n    restart: always\n`;

test('a visitor watches an app, and is notified of a change by email and feed', async ({ browser, page }) => {
  const smtp = await startMailServer();
  const server = await startOwnServer({
    LOCAL_TEEPOD_ENGINE: 'simulate',
    SMTP_URL: smtp.url,
  });
  try {
    const mailsTo = (email: string) => smtp.received.filter(({ recipients }) => recipients.includes(email));
    const linkIn = async (email: string, pattern: RegExp) => {
      await expect.poll(() => mailsTo(email).length, { timeout: 30_000 }).toBe(1);
      return server.url + (pattern.exec(mailsTo(email)[0]?.text ?? '')?.[0] ?? '');
    };
    const publisher = await registerOn(server, page, 'publisher');
    await page.goto(await linkIn(publisher, /\/verify-email\/thk_\w+/));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: /^Go to/ }).click();
    await signIn(page, publisher);
    await page.waitForURL((url) => !/^\/(login|verify-email)?/.exec(url.pathname)?.[1]);
    const slug = await openTeam(server, page);
    await page.goto(`${server.url}/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('watched');
    await writeCompose(page, compose('1.27'));
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL('**/cvms/**');
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
    const cvm = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const patch = async (data: object) => {
      const headers = { Origin: server.url, 'X-Workspace': slug };
      const answer = await page.request.patch(`${server.url}/api/v1/cvms/${cvm}`, { headers, data });
      expect(answer.ok(), await answer.text()).toBe(true);
    };
    await patch({ listed: true });

    const context = await browser.newContext();
    const visitor = await context.newPage();
    const complaints = watchConsole(visitor);
    await visitor.goto(`${server.url}/explorer?q=watch`);
    await visitor.getByRole('link', { name: 'watched' }).click();
    await expect(visitor.getByText('No TEE hardware: this host simulates attestation.')).toBeVisible();
    const app = new URL(visitor.url()).pathname;
    const email = newEmail('watcher');
    await visitor.getByRole('button', { name: 'Watch by email' }).click();
    const form = visitor.getByRole('form', { name: 'Watch this app' });
    await expect(form.getByLabel('Email address')).toBeFocused();
    await form.getByLabel('Email address').fill(email);
    await form.getByRole('button', { name: 'Watch' }).click();
    const confirm = await linkIn(email, /\/explorer\/watch\?token=[\w-]+/);
    await visitor.goto(confirm);
    await visitor.getByRole('button', { name: 'Start watching' }).click();
    await expect(visitor.getByText('You’re watching this app')).toBeVisible();

    await patch({ docker_compose_file: compose('1.28') });
    await expect.poll(() => mailsTo(email).length, { timeout: 90_000 }).toBe(2);
    const changeMail = mailsTo(email)[1];
    // Word joiners keep mail programs from turning third-party text into links.
    expect(changeMail?.text?.replaceAll('\u2060', '')).toMatch(/\+ +image: nginx:1\.28/);
    expect(changeMail?.text).toContain('simulated');
    const feed = await (await visitor.request.get(`${server.url}${app}/feed.atom`)).text();
    expect(feed).toContain('-     image: nginx:1.27\n+     image: nginx:1.28');

    await visitor.goto(`${server.url}${app}`);
    await visitor.getByRole('link', { name: 'Version 1 to 2' }).click();
    await expect(visitor.getByText('+     image: nginx:1.28')).toBeVisible();

    // One-click unsubscribe from the mail program: a POST to the address in the header, without cookies.
    const header = changeMail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const [, stop = ''] = /<(http[^>]+\/watches\/end\?token=[^>]+)>/.exec(header) ?? [];
    expect((await fetch(stop, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(204);
    await visitor.goto(confirm);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
    expect(complaints).toEqual([]);
  } finally {
    await server.stop();
    await smtp.stop();
  }
});
