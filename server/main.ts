import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isIP, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app';
import { ConfigError, loadConfig, type Config } from './config';
import { offeredTemplates } from './db/catalog/offeredTemplates';
import { teamAtAddress } from './db/teams/teamAddress';
import { createDb } from './db/core/client';
import { openDatabase, type OpenDatabase } from './db/core/embedded';
import { createEventBus } from './db/core/eventBus';
import { migrate } from './db/core/migrate';
import { logRetries } from './db/core/retries';
import { administratorPolicy, listOf, outboundPolicy } from './domain/core/outbound';
import type { Seal } from './domain/core/seal';
import { loadSeal } from './loadSeal';
import { createElizaChat } from './drivers/agents/eliza';
import { createMcpClient } from './drivers/mcp/client';
import { createAiServers } from './drivers/ai/openai';
import { sentrySink } from './drivers/errorSink/sentry';
import { createChainDriver } from './drivers/chain/rpc';
import { createTelegramDriver } from './drivers/chat/telegram';
import { createCollateralDriver } from './drivers/collateral/pcs';
import { createComposeAnalyzer } from './drivers/compose/analyzer';
import { createDnsDriver } from './drivers/dns/resolver';
import { createGithubDriver } from './drivers/github/profile';
import { createGatewayClients } from './drivers/gateway/clients';
import { createGatewayDriver } from './drivers/gateway/rpc';
import { createKmsClients } from './drivers/kms/clients';
import { createKmsDriver } from './drivers/kms/rpc';
import { createSmtpDriver } from './drivers/mail/smtp';
import { createOutbound } from './drivers/net/outbound';
import { createOidcDriver } from './drivers/oidc/relyingParty';
import { createProbe } from './drivers/probe/reach';
import { siteIn } from './drivers/site';
import { createSyslogDriver } from './drivers/syslog/tcp';
import { templatesIn } from './drivers/templates';
import { createVmmRegistry } from './drivers/vmm/registry';
import { createVmmDriver } from './drivers/vmm/rpc';
import { createBulkRowRunner } from './http/bulkJobRequest';
import { answerClientError, MAX_HEADER_BYTES } from './http/connection/clientError';
import { createRateLimits } from './http/rateLimits';
import { createTeamTurns } from './http/requestTransaction';
import { builtPublicPages } from './http/pages/public/renderer';
import { builtPages, hasBuild } from './http/pages/static';
import { startHeartbeat } from './jobs/core/heartbeat';
import { createMailOutbox } from './jobs/notifications/mailOutbox';
import { followLogLevel } from './jobs/platform/followLogLevel';
import { createJobs } from './jobs/core/queue';
import { startWorker } from './jobs/core/worker';
import { superviseLocalTeepod } from './localTeepod';
import { createLogger, type ServerLog } from './log';
import { handlers } from './operations/handlers.gen';
import { publicBadge } from './operations/public/publicBadge';
import type { Services } from './operations/types';
import { ROOT, VERSION } from './root';
import { localKmsToken, registerLocal } from './registerLocalTeepod';

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

  // With PORT=0 the address is known only after listening, and links need it. Requests before startup has finished
  // get 503 with Retry-After.
  let answer: RequestListener = (_req, res) => {
    res
      .writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1', Connection: 'close' })
      .end('starting\n');
  };
  const drain = new AbortController();
  const http = createServer(
    // Clients may send a body slowly, but not headers. Proxies keep idle connections for a minute: closing them
    // earlier would race with their next request.
    {
      headersTimeout: 20_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (req, res) => {
      // Busy connections close after their current request.
      if (drain.signal.aborted) res.setHeader('Connection', 'close');
      answer(req, res);
    },
  );
  // By default Node ignores headers after the 2,000th, X-Phala-Version among them. Their size is limited above.
  http.maxHeadersCount = 0;
  http.on('clientError', answerClientError(log));
  await listen(http, given.port, given.host);
  const { port } = http.address() as AddressInfo;
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
  const db = createDb(database.pool);
  const vmm = createVmmRegistry(createVmmDriver, (sealed) => seal.open('teepod-credential', sealed));
  const kms = createKmsClients(createKmsDriver);
  const gateways = createGatewayClients(createGatewayDriver, (sealed) =>
    seal.open('gateway-credential', sealed),
  );
  const chain = createChainDriver(config.chains);
  const events = createEventBus(database.connection, log);
  const logLevel = followLogLevel({ db, events, log });
  const endRetryLog = logRetries(log);
  const jobs = createJobs({ db, events, log });
  const site = siteIn(join(config.dataDir, 'site'), config.agentFramework, log);
  const mail = createMailOutbox({ brand: site.brand, config, seal, jobs });
  const dns = createDnsDriver(config.dnsServers);
  const outbound = createOutbound(outboundPolicy(config));
  const webhookNet = createOutbound({
    allow: listOf(config.outboundAllow),
    loopback: config.webhooksToLocalhost,
  });
  /** Queries name servers directly: the system's lookup has few threads, which visitors could exhaust. */
  const visitorNet = createOutbound(
    { allow: listOf(config.outboundAllow), loopback: config.webhooksToLocalhost },
    async (host) => (await dns.resolveAddresses(host)).map((address) => ({ address, family: isIP(address) })),
  );
  const auditOutlets = {
    net: createOutbound(administratorPolicy(config)),
    syslog: createSyslogDriver(administratorPolicy(config)),
  };
  const ai = createAiServers(outbound);
  const agents = createElizaChat(outbound);
  const mcp = createMcpClient(outbound);
  const oidc = createOidcDriver(outbound);
  const github = createGithubDriver(outbound, config.githubUrl);
  const collateral = config.pccsUrl === undefined ? null : createCollateralDriver({ url: config.pccsUrl });
  const probe = createProbe(dns, outboundPolicy(config));
  const chat = createTelegramDriver(config.chatBot.url);
  const compose = createComposeAnalyzer();
  const ownTemplates = join(config.dataDir, 'templates');
  const folders = templatesIn([join(ROOT, 'server/templates'), ownTemplates], log);
  // Reports faulty operator templates at startup.
  if (existsSync(ownTemplates)) folders.all();
  const templates = offeredTemplates(db, folders, log);
  // Loaded lazily: its code is a fifth of the server's.
  const cards =
    config.stripe && (await import('./drivers/payments/stripe')).createStripeDriver(config.stripe);
  const services: Services = {
    config,
    db,
    teamTurns: createTeamTurns(config),
    jobs,
    mail,
    cards,
    vmm,
    kms,
    gateways,
    chain,
    chat,
    oidc,
    github,
    dns,
    compose,
    templates,
    site,
    collateral,
    probe,
    ai,
    agents,
    mcp,
    webhookNet,
    visitorNet,
    auditOutlets,
    events,
    seal,
    log,
  };
  const dev = config.dev ? await (await import('./tools/devServer')).createViteMiddleware(http) : null;
  const app = createApp({
    config,
    services,
    tracing,
    draining: drain.signal,
    limits: createRateLimits(config, database.pool),
    sink: config.sentryDsn ? sentrySink(config.sentryDsn) : null,
    pages: dev
      ? { html: (name, url) => dev.page(name, url), scripts: () => [], publicPages: dev.publicPages }
      : hasBuild()
        ? { ...builtPages(), publicPages: await builtPublicPages() }
        : null,
    ...(dev ? { devMiddleware: dev.middleware as never } : {}),
  });
  answer = app;

  const works = config.role !== 'web';
  const worker = works
    ? await startWorker({
        db,
        dns,
        jobs,
        vmm,
        kms,
        collateral,
        compose,
        templates,
        chain,
        mail:
          config.smtpUrl === undefined
            ? null
            : createSmtpDriver({ url: config.smtpUrl, from: config.mailFrom }),
        chat: { driver: chat, service: config.chatBot.service },
        dataDir: config.dataDir,
        ai,
        webhookNet,
        visitorNet,
        auditOutlets,
        outbox: mail,
        publicUrl: config.publicUrl,
        cards,
        invoicing: config.invoicing,
        debtDays: config.billingEnforced ? config.debtDays : null,
        seal,
        checkPublicApp: async (app_id) => (await publicBadge(services, app_id)).message,
        bulkRow: createBulkRowRunner(services, handlers),
        log,
        tracing,
        role: config.role,
        version: VERSION,
        usdcNetworks: config.usdc?.networks ?? [],
        reconcileSeconds: config.reconcileSeconds,
        metricsSeconds: config.metricsSeconds,
        logLevel,
      })
    : null;
  // A worker writes its own heartbeat under its lease name.
  const endBeat = works ? null : startHeartbeat(db, log, { role: config.role, version: VERSION, logLevel });
  const local =
    works && config.localTeepod.enabled
      ? superviseLocalTeepod(
          config,
          log,
          (ready) => registerLocal(services, ready),
          `http://${hostOf(http)}/kms-auth/${localKmsToken(seal)}/local`,
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
      drain.abort();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // Repeats, because each connection becomes idle when its last request or stream ends.
      const idle = setInterval(() => http.closeIdleConnections(), 100);
      const cut = setTimeout(() => http.closeAllConnections(), config.drainSeconds * 1000);
      // Live page streams end now and reconnect elsewhere; otherwise they would hold the drain until its limit.
      await events.stop();
      await Promise.all([worker?.stop(), endBeat?.(), closed]);
      clearInterval(idle);
      clearTimeout(cut);
      await dev?.close();
      logLevel.stop();
      endRetryLog();
      await jobs.stop();
      await local?.stop();
      await vmm.close();
      await kms.close();
      await gateways.close();
      await outbound.close();
      await webhookNet.close();
      await visitorNet.close();
      await auditOutlets.net.close();
      await chat.close();
      await collateral?.close();
      await Promise.all([database.stop(), tracing?.stop()]);
      log.info('stopped');
    },
  };
}

/** Returns the URL at which this machine reaches a listener. */
function hostOf(http: Server): string {
  const { address, port } = http.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `127.0.0.1:${port}`;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function listen(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.removeListener('error', reject);
      resolve();
    });
  });
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
