import express, { type Express } from 'express';
import type { Config } from './config';
import { mountAiGateway } from './http/ai/gateway';
import { createAiLimits } from './http/ai/limits';
import { mountAiControl } from './http/aiControl/control';
import { compress } from './http/compress';
import { mountDocs } from './http/docs';
import { errorHandler } from './http/errors';
import { mountHealth } from './http/health';
import { createMetrics, mountMetrics } from './http/metrics/metrics';
import { mountMonitoring } from './http/monitoring';
import { mountKmsAuth } from './http/kmsAuth/route';
import { mountMcp } from './http/mcp/endpoint';
import { mount } from './http/mount';
import { notFound } from './http/notFound';
import type { RateLimits } from './http/rateLimits';
import { requestLog } from './http/requestLog';
import { mountScim } from './http/scim/route';
import { mountStripeWebhook } from './http/stripeWebhook';
import { dataPolicy, nonce, permissionsPolicy, securityHeaders } from './http/security';
import { mountAssets, mountIcon, mountPages, type Pages } from './http/pages/static';
import { mountPublicPages } from './http/pages/public/publicPages';
import type { PublicRenderer } from './http/pages/public/renderer';
import type { ErrorSink } from './drivers/errorSink';
import type { Tracing } from './drivers/tracing';
import { handlers } from './operations/handlers.gen';
import type { Services } from './operations/types';

export interface AppOptions {
  config: Config;
  services: Services;
  limits: RateLimits;
  sink: ErrorSink | null;
  /** Null if nothing is traced. */
  tracing: Tracing | null;
  /** Aborted when the process drains. */
  draining: AbortSignal;
  /** null: API only, for workers and tests. */
  pages: (Pages & { publicPages: PublicRenderer }) | null;
  /** Serves sources in development, before the pages. */
  devMiddleware?: express.RequestHandler;
}

/** Where programs talk to the server; everything else is a page. */
const DATA_PATHS = [
  '/api',
  '/v1',
  '/ai-control',
  '/kms-auth',
  '/mcp',
  '/metrics',
  '/scim',
  '/healthz',
  '/readyz',
  '/webhooks',
  '/monitoring',
  '/openapi.json',
];

/** Lists every layer a request passes through, in order. */
export function createApp({
  config,
  services,
  limits,
  sink,
  tracing,
  draining,
  pages,
  devMiddleware,
}: AppOptions): Express {
  const app = express();
  const metrics = createMetrics();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');

  app.use(requestLog(services.log, metrics, tracing));
  app.use(nonce, securityHeaders(config), permissionsPolicy);
  app.use(DATA_PATHS, dataPolicy);
  // Mounted before layers it doesn't need: its responses aren't compressed, because their bytes are signed.
  const aiLimits = createAiLimits();
  mountAiGateway(app, services, aiLimits);
  app.use(compress);

  mountHealth(app, services.db, draining);
  mountMetrics(app, metrics, { db: services.db, token: config.metricsToken, tracing });
  mountMonitoring(app, { config, sink, db: services.db, log: services.log });
  mountStripeWebhook(app, services);
  mountKmsAuth(app, services);
  mountScim(app, services);
  mountAiControl(app, services);
  mountMcp(app, { services, limits });
  mountDocs(app);
  mountIcon(app);

  mount(app, handlers, { services, limits, draining });

  if (pages) {
    if (devMiddleware) app.use(devMiddleware);
    else mountAssets(app);
    mountPublicPages(app, pages.publicPages, services, limits);
    mountPages(app, pages, services);
  }
  app.use(notFound);
  app.use(errorHandler(services.log));
  return app;
}
