import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { copyEmptyDatabase } from '../../server/testing/emptyDatabase';
import { OPEN_TO_ALL, SHORT_LIVED } from '../../server/testing/openServer';
import { freePort } from '../../server/tools/postgres';
import { scratchDir } from '../../server/tools/testRunner/scratch';
import { expect, type Page } from './browser';
import { newEmail, PASSWORD } from './support';

export interface OwnServer {
  url: string;
  dataDir: string;
  /** Whether it runs the built-in host. */
  hasHost: boolean;
  stop(): Promise<void>;
}

/**
 * Starts the built server, for tests that need their own configuration. Its data directory is empty unless `env`
 * names one, which then isn't deleted.
 */
export async function startOwnServer(env: Record<string, string>): Promise<OwnServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = env.DATA_DIR ?? (await scratchDir('e2e-own'));
  const hasHost = env.LOCAL_TEEPOD !== 'off';
  const { PATH = '', HOME = '', E2E_EMPTY_DATABASE } = process.env;
  if (E2E_EMPTY_DATABASE && !existsSync(path.join(dataDir, 'postgres')))
    await copyEmptyDatabase(E2E_EMPTY_DATABASE, dataDir);
  const child = spawn(process.execPath, [...SHORT_LIVED, 'dist/server/main.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH,
      HOME,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '1',
      ...OPEN_TO_ALL,
      ...env,
    },
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + 120_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const reply = await fetch(`${url}/readyz`).catch(() => null);
    if (reply?.status === 200) return { url, dataDir, hasHost, stop };
    if (child.exitCode === null && Date.now() < deadline) continue;
    await stop();
    throw new Error(`${url} did not become ready`);
  }
}

/** Registers and signs in a user; a server's first user is its administrator. @returns the user's address */
export async function registerOn({ url }: OwnServer, page: Page, name: string): Promise<string> {
  const email = newEmail(name);
  const answer = await page.request.post(`${url}/api/v1/auth/register`, {
    data: { email, password: PASSWORD },
    headers: { Origin: url },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return email;
}

/** Opens the signed-in user's team, once it can deploy. @returns its slug */
export async function openTeam(server: OwnServer, page: Page): Promise<string> {
  await page.goto(`${server.url}/`);
  await page.waitForURL(({ pathname }) => !/^\/(register|login)?$/.test(pathname));
  const slug = new URL(page.url()).pathname.split('/')[1] ?? '';
  if (server.hasHost) await hostJoined(server, page, slug);
  return slug;
}

/** Waits for the built-in host, which joins shortly after the start. */
export async function hostJoined({ url }: OwnServer, page: Page, team: string): Promise<void> {
  const hosts = async () => {
    const headers = { 'X-Workspace': team };
    const answer = await page.request.get(`${url}/api/v1/teepods/available`, { headers });
    return ((await answer.json()) as { nodes?: unknown[] }).nodes?.length ?? 0;
  };
  await expect.poll(hosts, { timeout: 60_000 }).toBeGreaterThan(0);
}
