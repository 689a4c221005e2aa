import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '../browser';
import { expectAccessible, registerUser, signIn, watchConsole } from '../support';

/** The published CLI from npm, with its own home directory and this server as its cloud. */
class Phala {
  readonly home = mkdtempSync(path.join(tmpdir(), 'teehouse-phala-'));
  private readonly children: ChildProcess[] = [];

  constructor(private readonly baseURL: string) {}

  run(...args: string[]) {
    const child = spawn(process.execPath, [path.resolve('node_modules/.bin/phala'), ...args], {
      cwd: this.home,
      env: {
        PATH: process.env.PATH,
        HOME: this.home,
        PHALA_CLOUD_DIR: path.join(this.home, '.phala-cloud'),
        PHALA_CLOUD_API_PREFIX: `${this.baseURL}/api/v1`,
      },
    });
    this.children.push(child);
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
    return { said, exit };
  }

  /** A login that waits for the browser, and the URL it prints. */
  async login() {
    const login = this.run('login', '--no-open', '--print-token');
    const address = () =>
      /https?:\/\/\S+\/cli\/verify\?user_code=[\w-]+/.exec(login.said.stdout + login.said.stderr)?.[0];
    await expect.poll(address, { timeout: 45_000 }).toBeTruthy();
    return { ...login, address: address() ?? '' };
  }

  end() {
    for (const child of this.children) child.kill();
    rmSync(this.home, { recursive: true, force: true });
  }
}

test('the command line logs in through the browser', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerUser(page, 'terminal');
  // Leaves the page, so that it doesn't send requests as a visitor.
  await page.goto('about:blank');
  await page.context().clearCookies();
  const phala = new Phala(baseURL ?? '');
  try {
    const login = await phala.login();
    const code = new URL(login.address).searchParams.get('user_code') ?? '';

    await test.step('a visitor signs in first and returns', async () => {
      await page.goto(login.address);
      await page.waitForURL(/\/login\?next=/);
      await signIn(page, email);
      await page.waitForURL(/\/cli\/verify\?user_code=/);
    });

    await test.step('the page shows the requesting device and access', async () => {
      await expect(page.getByRole('heading', { name: 'Approve this login?' })).toBeVisible();
      await expect(page.getByText(code, { exact: true })).toBeVisible();
      await expect(page.getByText(`You’re signed in as ${email}`, { exact: false })).toBeVisible();
      await expect(page.getByText('phala-cli', { exact: true })).toBeVisible();
      const scopes = page.getByRole('listitem').filter({ has: page.locator('code') });
      expect(await scopes.count()).toBeGreaterThan(0);
      await expect(page.getByLabel('Team', { exact: true })).toHaveValue(slug);
      await expectAccessible(page);
      // Opening the page doesn't decide anything.
      expect(login.said.stdout).not.toMatch(/(phak|thk)_/);
    });

    await test.step('after approval, the terminal prints a token', async () => {
      await page.getByRole('button', { name: 'Approve' }).click();
      await expect(page.getByRole('heading', { name: 'Login approved' })).toBeVisible();
      await expectAccessible(page);
      expect(await login.exit).toBe(0);
    });

    await test.step('the token works', async () => {
      const token = login.said.stdout.trim().split(/\s+/).at(-1) ?? '';
      const whoami = phala.run('whoami', '--json', '--api-token', token);
      expect(await whoami.exit, whoami.said.stderr).toBe(0);
      expect(whoami.said.stdout).toContain(email);
      // --print-token saves nothing, so without the token the command line is signed out.
      const stranger = phala.run('whoami', '--json');
      expect(await stranger.exit).not.toBe(0);
      expect(readdirSync(phala.home, { recursive: true }).join()).not.toContain('credentials');
    });
  } finally {
    phala.end();
  }
  expect(complaints).toEqual([]);
});

test('a login denied in the browser fails in the terminal', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  await registerUser(page, 'refuser');
  const phala = new Phala(baseURL ?? '');
  try {
    const login = await phala.login();
    await page.goto(login.address);
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByRole('heading', { name: 'Login denied' })).toBeVisible();
    await expectAccessible(page);
    expect(await login.exit).toBe(1);
    // The code has been used.
    await page.goto(login.address);
    await expect(page.getByRole('button', { name: 'Approve' })).toBeHidden();
  } finally {
    phala.end();
  }
  expect(complaints).toEqual([]);
});
