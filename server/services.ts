import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Config } from './config';
import { offeredTemplates } from './db/catalog/offeredTemplates';
import { createDb } from './db/core/client';
import type { OpenDatabase } from './db/core/embedded';
import { createEventBus } from './db/core/eventBus';
import { administratorPolicy, listOf, outboundPolicy } from './domain/core/outbound';
import type { Seal } from './domain/core/seal';
import { createElizaChat } from './drivers/agents/eliza';
import { createAiServers } from './drivers/ai/openai';
import { createChainDriver } from './drivers/chain/rpc';
import { createTelegramDriver } from './drivers/chat/telegram';
import { createCollateralDriver } from './drivers/collateral/pcs';
import { createComposeAnalyzer } from './drivers/compose/analyzer';
import { createDnsDriver } from './drivers/dns/resolver';
import { createGatewayClients } from './drivers/gateway/clients';
import { createGatewayDriver } from './drivers/gateway/rpc';
import { createGithubDriver } from './drivers/github/profile';
import { createKmsClients } from './drivers/kms/clients';
import { createKmsDriver } from './drivers/kms/rpc';
import { createMcpClient } from './drivers/mcp/client';
import { createOutbound } from './drivers/net/outbound';
import { createOidcDriver } from './drivers/oidc/relyingParty';
import { createProbe } from './drivers/probe/reach';
import { siteIn } from './drivers/site';
import { createSyslogDriver } from './drivers/syslog/tcp';
import { templatesIn } from './drivers/templates';
import { createVmmRegistry } from './drivers/vmm/registry';
import { createVmmDriver } from './drivers/vmm/rpc';
import { createTeamTurns } from './http/requestTransaction';
import { createJobs, type JobRunner } from './jobs/core/queue';
import { createMailOutbox } from './jobs/notifications/mailOutbox';
import type { ServerLog } from './log';
import type { Services } from './operations/types';
import { ROOT } from './root';

interface OpenServices {
  services: Services;
  /** The same queue as in `services`, for the worker role. */
  jobs: JobRunner;
  /** Closes connections to other systems. The event bus and the jobs, which end earlier, are left to the caller. */
  close(): Promise<void>;
}

/** Creates what requests and background work share: the real drivers, the event bus and the job queue. */
export async function createServices(
  config: Config,
  database: OpenDatabase,
  seal: Seal,
  log: ServerLog,
): Promise<OpenServices> {
  const db = createDb(database.pool);
  const vmm = createVmmRegistry(createVmmDriver, (sealed) => seal.open('teepod-credential', sealed));
  const kms = createKmsClients(createKmsDriver);
  const gateways = createGatewayClients(createGatewayDriver, (sealed) =>
    seal.open('gateway-credential', sealed),
  );
  const chain = createChainDriver(config.chains);
  const events = createEventBus(database.connection, log, { serves: config.role !== 'worker' });
  const jobs = createJobs({ db, events, log });
  const site = siteIn(join(config.dataDir, 'site'), config.agentFramework, log);
  const mail = createMailOutbox({ brand: site.brand, config, seal, jobs });
  const dns = createDnsDriver(config.dnsServers);
  const outbound = createOutbound(outboundPolicy(config));
  const strangersPolicy = { allow: listOf(config.outboundAllow), loopback: config.webhooksToLocalhost };
  const webhookNet = createOutbound(strangersPolicy);
  // Queries name servers directly: the system's lookup has few threads, which visitors could exhaust.
  const visitorNet = createOutbound(strangersPolicy, async (host) =>
    (await dns.resolveAddresses(host)).map((address) => ({ address, family: isIP(address) })),
  );
  const auditOutlets = {
    net: createOutbound(administratorPolicy(config)),
    syslog: createSyslogDriver(administratorPolicy(config)),
  };
  const chat = createTelegramDriver(config.chatBot.url);
  const collateral = config.pccsUrl === undefined ? null : createCollateralDriver({ url: config.pccsUrl });
  const services: Services = {
    config,
    db,
    teamTurns: createTeamTurns(config),
    jobs,
    mail,
    // Loaded lazily: its code is a fifth of the server's.
    cards: config.stripe && (await import('./drivers/payments/stripe')).createStripeDriver(config.stripe),
    vmm,
    kms,
    gateways,
    chain,
    chat,
    oidc: createOidcDriver(outbound),
    github: createGithubDriver(outbound, config.githubUrl),
    dns,
    compose: createComposeAnalyzer(),
    templates: offeredTemplates(db, templateFolders(config, log), log),
    site,
    collateral,
    probe: createProbe(dns, outboundPolicy(config)),
    ai: createAiServers(outbound),
    agents: createElizaChat(outbound),
    mcp: createMcpClient(outbound),
    webhookNet,
    visitorNet,
    auditOutlets,
    events,
    seal,
    log,
  };
  return {
    services,
    jobs,
    async close() {
      await vmm.close();
      await kms.close();
      await gateways.close();
      await outbound.close();
      await webhookNet.close();
      await visitorNet.close();
      await auditOutlets.net.close();
      await chat.close();
      await collateral?.close();
    },
  };
}

/** Returns the project's templates and the operator's own, whose faults are reported now. */
function templateFolders(config: Config, log: ServerLog): ReturnType<typeof templatesIn> {
  const own = join(config.dataDir, 'templates');
  const folders = templatesIn([join(ROOT, 'server/templates'), own], log);
  if (existsSync(own)) folders.all();
  return folders;
}
