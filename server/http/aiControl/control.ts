import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type * as z from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { CallingGateway } from '../../db/ai/aiGateways';
import { offeredModels, type RoutedModel } from '../../db/ai/aiModels';
import { AiError } from '../../domain/ai/aiError';
import { consult, forwardable, report } from '../../domain/ai/control';
import { canBeVerified } from '../../domain/ai/evidence';
import type { Services } from '../../operations/types';
import { aiErrors } from '../ai/errors';
import { modelOut } from '../ai/modelOut';
import { unstorableText } from '../body/unstorableText';
import { createAdmission, forget } from './admission';
import { createGatewayReader, type GatewayReader } from './caller';
import { recordReport } from './record';
import { upstreamConfig } from './upstreams';

/** Maximum bytes of a request or report. */
const MAX_BODY = 64 * 1024;

/**
 * `/ai-control`: called by gateways outside this server before they answer a request, and afterward to report it. A
 * gateway gets a decision, prices and routes, and never sends a prompt or an answer.
 */
export function mountAiControl(app: Express, services: Services): void {
  const control = express.Router();
  const readGateway = createGatewayReader(services, 'ask');
  const readReporter = createGatewayReader(services, 'report');
  const readConfigured = createGatewayReader(services, 'configure');
  const admit = createAdmission(services);
  const json = express.json({ limit: MAX_BODY, type: () => true });

  control.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });

  // Before the body is read: only a gateway may use this server's memory.
  const enter =
    (read: GatewayReader): RequestHandler =>
    async (req, res, next) => {
      res.locals.gateway = await read(req);
      next();
    };
  const callerOf = (res: Response) => res.locals.gateway as CallingGateway;

  control.post('/consult/pre', enter(readGateway), json, async (req, res) => {
    const decision = await admit(callerOf(res), parse(consult, req.body));
    // The gateway retries after a broken connection, so this decision will never be reported.
    if (res.closed) return forget(services, decision);
    res.json(decision);
  });

  control.post('/consult/post', enter(readReporter), json, async (req, res) => {
    const is_recorded = await recordReport(services, callerOf(res), parse(report, req.body));
    res.json({ recorded: is_recorded });
  });

  const list = (filter: (model: RoutedModel) => boolean) => async (req: Request, res: Response) => {
    refuseDisabled(await readGateway(req));
    const isWanted = (model: RoutedModel) => req.query.tee !== 'true' || canBeVerified(model);
    // A gateway relays this without its client's key, so teams' own models aren't listed.
    const models = (await offeredModels(services.db, null)).flatMap((model) => {
      const routes = forwardable(model);
      return routes.length === 0 ? [] : [{ ...model, routes }];
    });
    res.json({
      object: 'list',
      data: models
        .filter(isWanted)
        .filter(filter)
        .map((model) => modelOut(model, canBeVerified(model))),
    });
  };
  control.get(
    '/models',
    list(() => true),
  );
  control.get(
    '/embeddings/models',
    list(({ endpoints }) => endpoints.includes('embeddings')),
  );

  control.get('/upstreams', async (req, res) => {
    refuseDisabled(await readConfigured(req));
    res.json(await upstreamConfig(services));
  });

  control.use((req) => {
    throw new AiError(
      404,
      'not_found_error',
      'unknown_url',
      `Unknown request: ${req.method} ${cutWhole(req.path, 200)}. AI gateways send POST /consult/pre, POST /consult/post, GET /models, GET /embeddings/models and GET /upstreams.`,
    );
  });
  control.use(aiErrors(services, { most: '64 KiB', failed: 'failed to answer an AI gateway' }));
  app.use('/ai-control', control);
}

/**
 * Refuses a disabled gateway, except admission requests, answered so that its clients see the reason, and reports of
 * requests admitted earlier. @throws {AiError} 403
 */
function refuseDisabled({ state }: CallingGateway): void {
  if (state === 'disabled')
    throw new AiError(403, 'authentication_error', null, 'This gateway is disabled in the admin area.');
}

/** @throws {AiError} 400 naming the first invalid member */
function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data, error } = schema.safeParse(body);
  const unstorable = success ? unstorableText(data) : null;
  if (success && !unstorable) return data;
  const { path = [], message = '' } = error?.issues[0] ?? {
    path: unstorable ?? [],
    message: 'It contains a NUL character or an unpaired surrogate.',
  };
  const member = path.join('.') || 'body';
  throw new AiError(400, 'invalid_request_error', null, `${cutWhole(member, 200)}: ${message}`, {
    param: cutWhole(member, 200),
  });
}
