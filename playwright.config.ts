import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';
import { OPEN_TO_ALL } from './server/testing/openServer';
import { findChromium } from './server/tools/system';

/**
 * Browser tests against the built apps and a real server with its own data directory. `npm run e2e` builds first;
 * E2E_BASE_URL points them at a running server.
 */

// Every worker loads this file again, so values chosen here are passed on through the environment.
const env = process.env;
const port = (env.E2E_PORT ??= String(20_000 + (process.pid % 10_000)));
const running = env.E2E_BASE_URL;
// The port of a test's DNS server that verifies a team's domain: the same number, over UDP.
if (!running) env.E2E_DNS_PORT ??= port;
// The port of a test's chat service.
env.E2E_BOT_PORT ??= String(Number(port) + 10_000);
const baseURL = running ?? `http://localhost:${port}`;
const dataDir = (env.E2E_DATA_DIR ??= `/tmp/teehouse-e2e-${process.pid}`);

/** These wait for minutes: for points of metrics, the end of a term, a container that starts again. */
const LONG = ['usage', 'moneyStory', 'wallets', 'routes', 'debt', 'budgets'].map(
  (name) => `**/${name}.spec.ts`,
);

export default defineConfig({
  testDir: 'console/e2e',
  outputDir: 'test-results',
  timeout: 900_000,
  // Bounds for a machine that is full, not what anything should take.
  expect: { timeout: 60_000 },
  forbidOnly: env.CI !== undefined,
  fullyParallel: false,
  // One more than cores: a test waits for a server or a container now and then. With more, each polls while it waits for
  // the processor.
  workers: Math.min(6, Math.max(3, availableParallelism() + 1)),
  reporter: [['list'], ...(env.E2E_REPORT ? [['json', { outputFile: env.E2E_REPORT }] as const] : [])],
  use: {
    baseURL,
    // Recording every step costs a fifth of the time on two cores; E2E_TRACE=1 enables it for debugging.
    trace: env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // Pages that wait otherwise repaint their spinners and placeholders without end, a fifth of the processor time. The
    // browser's switch for it has no effect, because every context emulates the preference that Playwright chooses.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium(),
      args: [
        // Emulating a graphics card takes a tenth of the processor time and changes nothing the tests look at.
        '--disable-gpu',
        '--disable-software-rasterizer',
        // A process of its own for drawing costs an eighth of a test's processor time in messages between the two.
        '--in-process-gpu',
        // Pages live for seconds here: optimizing their code costs a tenth of the time and never pays.
        '--js-flags=--no-maglev --no-turbofan',
        // Chromium's sandbox doesn't start as root, the usual user in containers.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
  // Files start in this order, so the longest don't run alone at the end.
  projects: [
    { name: 'long', testMatch: LONG, use: { ...devices['Desktop Chrome'] } },
    { name: 'chromium', testIgnore: LONG, use: { ...devices['Desktop Chrome'] } },
  ],
  ...(!running && {
    webServer: {
      command: `${process.execPath} --enable-source-maps dist/server/main.js`,
      url: `${baseURL}/readyz`,
      timeout: 120_000,
      stdout: 'pipe',
      stderr: 'pipe',
      // Drain: the supervised database and local teepod exit with the server; containers keep running by
      // design.
      gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
      env: {
        PORT: port,
        PUBLIC_URL: baseURL,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '5',
        // Many users sign in from this one IP address.
        SIGN_IN_ATTEMPTS: '1000',
        WRITES_PER_MINUTE: '100000',
        ...OPEN_TO_ALL,
        METRICS_SECONDS: '10',
        // Every spec leaves CVMs behind.
        LOCAL_TEEPOD_MAX_CVMS: '64',
        LOCAL_TEEPOD_VCPU: '128',
        // Tests receive webhooks on this machine.
        WEBHOOKS_TO_LOCALHOST: 'on',
        DNS_SERVERS: `127.0.0.1:${env.E2E_DNS_PORT}`,
        CHAT_BOT_URL: `http://127.0.0.1:${env.E2E_BOT_PORT}`,
      },
    },
  }),
});
