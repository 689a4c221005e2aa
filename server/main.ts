import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createApp, type AppOptions } from './app';
import { ConfigError, loadConfig, type Config } from './config';
import { openDatabase, type OpenDatabase } from './db/core/embedded';
import { migrate } from './db/core/migrate';
import { logRetries } from './db/core/retries';
import { teamAtAddress } from './db/teams/teamAddress';
import type { Seal } from './domain/core/seal';
import { sentrySink } from './drivers/errorSink/sentry';
import { createSmtpDriver } from './drivers/mail/smtp';
import { createBulkRowRunner } from './http/bulkJobRequest';
import { startListener } from './http/connection/listener';
import { builtPublicPages } from './http/pages/public/renderer';
import { builtPages, hasBuild } from './http/pages/static';
import { createRateLimits } from './http/rateLimits';
import { startHeartbeat } from './jobs/core/heartbeat';
import { startWorker, type WorkerOptions } from './jobs/core/worker';
import { followLogLevel } from './jobs/platform/followLogLevel';
import { loadSeal } from './loadSeal';
import { superviseLocalTeepod } from './localTeepod';
import { createLogger, type ServerLog } from './log';
import { handlers } from './operations/handlers.gen';
import { publicBadge } from './operations/public/publicBadge';
import type { Services } from './operations/types';
import { localKmsToken, registerLocal } from './registerLocalTeepod';
import { VERSION } from './root';
import { createServices } from './services';

export interface RunningServer {
  /** Public URL: PUBLIC_URL. */
  url: string;
  /** The address it listens on. */
  address: string;
  services: Services;
  stop(): Promise<void>;
}

/**
 * Reads the configuration, opens and migrates the database, listens and starts working. `stop` drains: no new
 * requests, running ones finish, and jobs are left for the next start.
 */
export async function startServer(
  given: Config,
  log: ServerLog = createLogger(given.logLevel),
): Promise<RunningServer> {
  for (const warning of given.warnings) log.warn(warning);
  const seal = await loadSeal(given);
  const database = await openDatabase(given, log);
  try {
    return await startOn(database, seal, given, log);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function startOn(
  database: OpenDatabase,
  seal: Seal,
  given: Config,
  log: ServerLog,
): Promise<RunningServer> {
  const applied = await migrate(database.connection);
  if (applied.length > 0) log.info({ applied }, 'database migrated');

  // With PORT=0 the address is known only after listening, and links need it.
  const listener = await startListener(given.port, given.host, log);
  const { port } = listener;
  const config: Config = { ...given, port, publicUrl: given.publicUrl.replace(/:0$/, `:${port}`) };

  // Its libraries are loaded only if traces are enabled.
  const tracing = config.tracing
    ? (await import('./drivers/tracing/otlp')).createOtlpTracing({
        ...config.tracing,
        version: VERSION,
        environment: config.environment,
        role: config.role,
        log,
      })
    : null;
  const { services, jobs, close } = await createServices(config, database, seal, log);
  const { db, events } = services;
  const logLevel = followLogLevel({ db, events, log });
  const endRetryLog = logRetries(log);
  const dev = config.dev
    ? await (await import('./tools/devServer')).createViteMiddleware(listener.http)
    : null;
  const app = createApp({
    config,
    services,
    tracing,
    draining: listener.draining,
    limits: createRateLimits(config, database.pool),
    sink: config.sentryDsn ? sentrySink(config.sentryDsn) : null,
    pages: dev
      ? { html: (name, url) => dev.page(name, url), scripts: () => [], publicPages: dev.publicPages }
      : await pagesOfBuild(),
    ...(dev ? { devMiddleware: dev.middleware as never } : {}),
  });
  listener.serve(app);

  const works = config.role !== 'web';
  const worker = works ? await startWorker({ ...workerOptions(services), jobs, tracing, logLevel }) : null;
  // A worker writes its own heartbeat under its lease name.
  const endBeat = works ? null : startHeartbeat(db, log, { role: config.role, version: VERSION, logLevel });
  const local =
    works && config.localTeepod.enabled
      ? superviseLocalTeepod(
          config,
          log,
          (ready) => registerLocal(services, ready),
          `${listener.localUrl}/kms-auth/${localKmsToken(seal)}/local`,
        )
      : null;
  const shadowed = await teamAtAddress(db, config.agentFramework);
  if (shadowed)
    log.warn(
      { team: shadowed.name, address: config.agentFramework },
      'A team uses the AGENT_FRAMEWORK name as its slug. Change the team slug, or choose another name.',
    );
  log.info({ url: config.publicUrl, database: database.kind, role: config.role }, 'Teehouse is ready');

  return {
    url: config.publicUrl,
    address: `http://127.0.0.1:${port}`,
    services,
    async stop() {
      log.info('draining');
      const drained = listener.drain(config.drainSeconds);
      // Live page streams end now and reconnect elsewhere; otherwise they would hold the drain until its limit.
      await events.stop();
      await Promise.all([worker?.stop(), endBeat?.(), drained]);
      await dev?.close();
      logLevel.stop();
      endRetryLog();
      await jobs.stop();
      await local?.stop();
      await close();
      await Promise.all([database.stop(), tracing?.stop()]);
      log.info('stopped');
    },
  };
}

/** Returns the pages of `npm run build`; null without them, and the process serves only the API. */
async function pagesOfBuild(): Promise<AppOptions['pages']> {
  return hasBuild() ? { ...builtPages(), publicPages: await builtPublicPages() } : null;
}

/** Returns what the worker role takes from the services and the configuration. */
function workerOptions(services: Services): Omit<WorkerOptions, 'jobs' | 'tracing' | 'logLevel'> {
  const { config, mail: outbox, chat: driver } = services;
  const { smtpUrl, mailFrom } = config;
  return {
    ...services,
    outbox,
    mailDriver: smtpUrl === undefined ? null : createSmtpDriver({ url: smtpUrl, from: mailFrom }),
    chatBot: { driver, service: config.chatBot.service },
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    invoicing: config.invoicing,
    debtDays: config.billingEnforced ? config.debtDays : null,
    usdcNetworks: config.usdc?.networks ?? [],
    checkPublicApp: async (app_id) => (await publicBadge(services, app_id)).message,
    bulkRow: createBulkRowRunner(services, handlers),
    role: config.role,
    version: VERSION,
    reconcileSeconds: config.reconcileSeconds,
    metricsSeconds: config.metricsSeconds,
  };
}

/**
 * Percent by which a worker's heap may outgrow what is in use before it is collected. On a large machine V8 lets it
 * multiply first: a worker that reconciles 250 hosts then keeps 560 MB instead of 300, and saves 8 percent of its
 * processor time. (`npm run bench -- fleet`) A process that also answers requests would pay for it in latency: its p99
 * grows by half. (`npm run bench -- api`)
 */
const HEAP_GROWTH = 40;

/** Runs the process: start, print the address, drain on SIGTERM or SIGINT. */
export async function runServer(): Promise<void> {
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 78; // EX_CONFIG
    return;
  }
  if (config.role === 'worker') setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const server = await startServer(config).catch((error: unknown): never => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`${config.logLevel === 'debug' ? (stack ?? message) : message}\n`);
    // Anything it opened before the failure would keep the process alive, without serving.
    process.exit(1);
  });
  process.stdout.write(`\n  Teehouse is ready at ${server.url}\n\n`);
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runServer();
}
