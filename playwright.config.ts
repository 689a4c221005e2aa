import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './server/tools/system';

/**
 * Browser tests against the built apps and a real server with its own data directory. `npm run e2e` builds first;
 * E2E_BASE_URL points them at a server that runs already.
 */

// This file is read again by every worker: what is chosen here once is handed on through the environment.
const env = process.env;
const port = (env.E2E_PORT ??= String(20_000 + (process.pid % 10_000)));
const running = env.E2E_BASE_URL;
// Where a test answers DNS for the domain that a team proves to be its own: the same number, of UDP.
if (!running) env.E2E_DNS_PORT ??= port;
// And where a test is the chat service.
env.E2E_BOT_PORT ??= String(Number(port) + 10_000);
const baseURL = running ?? `http://localhost:${port}`;
const dataDir = (env.E2E_DATA_DIR ??= `/tmp/teehouse-e2e-${process.pid}`);

export default defineConfig({
  testDir: 'console/e2e',
  outputDir: 'test-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: env.CI !== undefined,
  fullyParallel: false,
  workers: 2,
  retries: 0,
  reporter: env.E2E_REPORT ? [['list'], ['json', { outputFile: env.E2E_REPORT }]] : [['list']],
  use: {
    baseURL,
    // Recording every step costs a fifth of the time of two cores; E2E_TRACE=1 has it when a test is looked into.
    trace: env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      // Chromium's sandbox does not start as root, as which containers usually run.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  projects: [{ name: 'chromium', use: { ...devices['Desktop Chrome'] } }],
  ...(!running && {
    webServer: {
      command: `${process.execPath} --enable-source-maps dist/server/main.js`,
      url: `${baseURL}/readyz`,
      timeout: 120_000,
      stdout: 'pipe',
      stderr: 'pipe',
      // Drain: the supervised database and the local teepod end with the server; containers outlive them by design.
      gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
      env: {
        PORT: port,
        PUBLIC_URL: baseURL,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '5',
        // Many people sign in from this one address.
        SIGN_IN_ATTEMPTS: '1000',
        WRITES_PER_MINUTE: '100000',
        METRICS_SECONDS: '10',
        // Receivers of webhooks are part of the tests.
        WEBHOOKS_TO_LOCALHOST: 'on',
        DNS_SERVERS: `127.0.0.1:${env.E2E_DNS_PORT}`,
        CHAT_BOT_URL: `http://127.0.0.1:${env.E2E_BOT_PORT}`,
      },
    },
  }),
});
