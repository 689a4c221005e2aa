import express, { type Express, type RequestHandler } from 'express';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { createAci } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import { constraintRefusal } from '../../domain/ai/constraints';
import { contentUrls } from '../../domain/ai/contentUrls';
import { evidenceRefusal, isServedHere } from '../../domain/ai/evidence';
import { mediaParts, requireReadable } from '../../domain/ai/modalities';
import { parseModelRequest, pathOf, requireEndpoint, type Endpoint } from '../../domain/ai/modelRequest';
import { tokenBounds } from '../../domain/ai/worstCase';
import { publicId, type PublicIdPrefix } from '../../domain/core/publicId';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import { offeredModels, type RoutedModel } from '../../db/ai/aiModels';
import type { Services } from '../../operations/types';
import { aciHeaders, mountAci } from './aciRoutes';
import { answer } from './answer';
import { cors } from './cors';
import { createE2ee } from './e2ee';
import { aiErrors } from './errors';
import { createHolds } from './hold';
import { createKeyReader } from './key';
import { createKeyWatch } from './keyWatch';
import { mountLegacy } from './legacyRoutes';
import type { AiLimits } from './limits';
import { modelOut } from './modelOut';
import { createModelFinder, mayUse } from './models';
import { declaredBytes, MAX_BODY_TEXT, readBody } from './readBody';
import { createAiRouter } from './route';
import { createSettlement } from './settlement';
import { createUrlCheck } from './urlCheck';

/** Prefixes of answer IDs. */
const ID_PREFIXES: Record<Endpoint, PublicIdPrefix> = {
  'chat.completions': 'chatcmpl',
  completions: 'cmpl',
  embeddings: 'embd',
  responses: 'resp',
};
const ENDPOINTS = Object.keys(ID_PREFIXES) as Endpoint[];

/** Whether this gateway can serve models from a TEE: it can't verify one and doesn't run in one. */
const IS_TEE = false;

/** Sent with every response, because this server's operator could read the traffic. */
const LABEL = 'built-in; not in a TEE';

/**
 * `/v1`: the OpenAI-compatible gateway inside this server. Requests carry an AI key. Prompts and answers pass through
 * and are neither stored nor logged.
 */
export function mountAiGateway(app: Express, services: Services, limits: AiLimits): void {
  const readKey = createKeyReader(services);
  const route = createAiRouter(services);
  const findModel = createModelFinder(services);
  const aci = createAci(services.seal);
  const openBody = createE2ee(services, aci);
  const hold = createHolds(services, async () => undefined);
  const watchKey = createKeyWatch(services);
  const settle = createSettlement(services);
  const checkUrls = createUrlCheck(services);

  /** @throws {AiError} 404, the same for a nonexistent model and one the key may not use */
  const modelOf = async (key: LiveAiKey, id: string): Promise<RoutedModel> => {
    const model = await findModel(key, id);
    if (model) return model;
    throw unknownModel(id);
  };

  const respond =
    (endpoint: Endpoint): RequestHandler =>
    async (req, res) => {
      // Before the body is read: only a valid key may use this server's memory.
      const key = await readKey(req, { counts: true });
      const declared = declaredBytes(req);
      const slot = limits.enter(key, declared ?? 0);
      // The client may have disconnected during the key lookup.
      if (res.closed) return slot.leave();
      res.once('close', slot.leave);
      res.set(slot.headers);
      const sent = await readBody(req, declared, slot.reserve);
      const { body, protection } = await openBody(req, res, endpoint, sent, async (name) =>
        requireEndpoint(endpoint, await modelOf(key, name)),
      );
      if (body !== sent) slot.reserve(body.length);
      const request = parseModelRequest(endpoint, body);
      const model = await modelOf(key, request.given.model);
      requireEndpoint(endpoint, model);
      requireReadable(mediaParts(request), model);
      const urls = contentUrls(request);
      if (urls.length > 0) await checkUrls(key.team_id, urls);
      const id = publicId(ID_PREFIXES[endpoint]).replace('_', '-');
      await answer({ log: services.log, aci, hold, settle, watchKey }, res, {
        id,
        body,
        request,
        bounds: tokenBounds(request, body.length, model.context_length),
        refusal: constraintRefusal(request) ?? evidenceRefusal(model),
        key,
        model,
        serving: route(model, { id, request, body, keep: slot.keep }),
        protection,
      });
    };
  const gateway = express.Router({ strict: false });

  const label: RequestHandler = (_req, res, next) => {
    res.setHeader('X-Teehouse-Gateway', LABEL);
    res.setHeader('Cache-Control', 'no-store, no-transform');
    next();
  };
  // Before `cors`, which answers preflights.
  gateway.use(aciHeaders(aci), label, cors);

  mountAci(gateway, services, aci, readKey);
  mountLegacy(gateway, services, readKey);

  gateway.get('/models', async (req, res) => {
    const key = await readKey(req);
    const models = await offeredModels(services.db, key.team_id);
    res.json({
      object: 'list',
      data: models
        .filter((model) => mayUse(key, model) && isServedHere(model))
        .map((model) => modelOut(model, IS_TEE)),
    });
  });

  gateway.get('/models/{*model}', async (req, res) => {
    const key = await readKey(req);
    const id = ([] as string[]).concat(req.params.model ?? []).join('/');
    const model = await modelOf(key, id);
    if (!isServedHere(model)) throw unknownModel(id);
    res.json(modelOut(model, IS_TEE));
  });

  for (const endpoint of ENDPOINTS) gateway.post(pathOf(endpoint).slice('/v1'.length), respond(endpoint));

  gateway.use((req) => {
    throw new AiError(
      404,
      'not_found_error',
      'unknown_url',
      `Unknown request: ${req.method} /v1${cutWhole(req.path, 200)}. This gateway answers GET /v1/models, ${ENDPOINTS.map((one) => `POST ${pathOf(one)}`).join(', ')} and GET /v1/aci/….`,
    );
  });
  gateway.use(aiErrors(services, { most: MAX_BODY_TEXT, failed: 'the AI gateway failed' }));
  app.use('/v1', gateway);
}

const unknownModel = (id: string) =>
  new AiError(
    404,
    'not_found_error',
    'model_not_found',
    `The model “${cutWhole(id, 200)}” doesn't exist, or this key doesn't have access to it.`,
    { param: 'model' },
  );
