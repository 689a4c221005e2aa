import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';
import base from '../../../playwright.config';

/** `npm run photos`: uses the browser tests' server and browser to take photographs. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const server = Array.isArray(base.webServer) ? base.webServer[0] : base.webServer;

export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.photos.ts',
  projects: [{ name: 'chromium', use: { ...devices['Desktop Chrome'] } }],
  outputDir: `${root}/test-results/photos`,
  workers: 1,
  // About 280 pages at six sizes each.
  timeout: 3_600_000,
  reporter: [['line']],
  ...(server && { webServer: { ...server, cwd: root } }),
});
