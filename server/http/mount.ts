import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { operations, type OperationId, type OperationSpec } from '../../generated/api/operations.gen';
import { Problem } from '../domain/core/problem';
import type { Handlers, Services } from '../operations/types';
import { IGNORED_KEYS_HEADER, ignoredKeys, refuseKeys } from './body/unknownKeys';
import { isEmpty, verifyJson } from './body/verifyJson';
import { inVersion, olderSchema } from './compat/changes';
import { apiVersion, setVersion, versionOf } from './compat/apiVersion';
import { schemaOfStored } from './compat/storedReply';
import { createContext } from './context';
import { sendProblem, ValidationProblem } from './errors';
import { replayIdempotent } from './idempotency';
import { parsePart, perform, storable, type AnyReply } from './perform';
import type { RateLimits } from './rateLimits';
import { sendStream } from './streams';

export interface MountOptions {
  services: Services;
  limits: RateLimits;
  /** Aborted when the process drains. */
  draining?: AbortSignal;
}

/**
 * Mounts every operation of the document: parses the request with its schemas, authenticates, checks the permission,
 * calls the handler, and parses the reply with its status's schema, which strips what must not leak.
 */
export function mount(app: Express, handlers: Handlers, options: MountOptions): void {
  // Literal segments before parameters, so that /cvms/provision is never read as a CVM called "provision".
  const ids = (Object.keys(operations) as OperationId[]).sort(
    (a, b) => specificity(operations[a].path) - specificity(operations[b].path),
  );
  app.use('/api/v1', apiVersion(options.services.log));
  for (const id of ids) {
    const spec = operations[id];
    const path = `/api/v1${spec.path.replace(/\{(\w+)\}/g, ':$1')}`;
    app[spec.method](path, ...bodyParsers(spec), (req, res) => void serve(id, handlers, options, req, res));
  }
}

async function serve(
  id: OperationId,
  handlers: Handlers,
  options: MountOptions,
  req: Request,
  res: Response,
) {
  const { services, limits } = options;
  const spec: OperationSpec = operations[id];
  res.locals.operation_id = id;
  const ctx = await createContext(services, id, req, res).catch(
    (error: unknown) => void sendProblem(res, error, services.log),
  );
  if (!ctx) return;
  try {
    const parts = { path: req.params, query: req.query, readBody: () => readBody(spec, req, res) };
    const reply = await perform(id, parts, ctx, {
      handlers,
      limits: { consume: (rate, counted) => limits.consume(rate, counted, res) },
      replay: (call) => replayIdempotent(spec, req, call),
    });
    for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
    if (reply.stream) {
      const type = reply.content_type ?? 'text/plain; charset=utf-8';
      const { reader, until } = reply;
      return await sendStream({ ...options, spec, req, res, ctx, reader, until }, type, reply.stream);
    }
    sendReply(id, spec, res, reply);
  } catch (error) {
    sendProblem(res, error, ctx.log);
  }
}

function sendReply(
  id: OperationId,
  spec: OperationSpec,
  res: Response,
  { status, body, stored_version }: AnyReply,
) {
  const declared = spec.responses[status];
  if (!declared)
    throw new Problem('INTERNAL', {
      cause: new Error(`${id} returned ${status}, which the document does not declare`),
    });
  res.status(status);
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  if (declared.type === null) return void res.end();
  if (!declared.schema) return void res.type(declared.type).send(body);
  // A stored body can't be converted to a newer shape.
  if (stored_version !== undefined && stored_version < versionOf(res)) setVersion(res, stored_version);
  const version = versionOf(res);
  const older = status < 300 ? olderSchema(spec, version) : undefined;
  const exact = older ?? declared.schema;
  const schema = stored_version === undefined ? exact : schemaOfStored(exact);
  const checked = schema.safeParse(older ? inVersion(id, version, body, stored_version) : body);
  if (!checked.success)
    throw new Problem('INTERNAL', {
      cause: new Error(`${id} ${status} breaks its schema: ${checked.error.message}`),
    });
  if (older) res.type(`application/json; version=${version}; charset=utf-8`);
  res.json(checked.data);
}

function bodyParsers(spec: OperationSpec): RequestHandler[] {
  const limit = spec.bodyBytes || 65_536;
  // Published clients send `Content-Type: application/json` with an empty body: no body, not bad JSON.
  const json = express.json({
    limit,
    strict: false,
    type: ['application/json', '+json'],
    verify: verifyJson,
  }) as RequestHandler;
  // Read only to name its keys: an unused body can't be invalid.
  if (spec.bodyTypes.length === 0)
    return spec.method === 'get' ? [] : [(req, res, next) => void json(req, res, () => next())];
  return [json, express.text({ limit, type: ['text/*', 'application/yaml', 'application/x-yaml'] })];
}

function readBody(spec: OperationSpec, req: Request, res: Response): unknown {
  const text = spec.bodyTypes.some((type) => type.startsWith('text/'));
  if (text) {
    // An empty text is valid: it clears the script.
    const given: unknown = req.body ?? (isText(req) ? '' : undefined);
    if (typeof given === 'string') return storable('body', given);
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', {
      message: `Send the body as ${spec.bodyTypes.join(' or ')}.`,
    });
  }
  if (!spec.body) {
    nameIgnored(res, ignoredKeys({ unknownKeys: 'strip', ignoredKeys: [] }, req.body, {}));
    return undefined;
  }
  const length = Number(req.get('content-length') ?? '0');
  if (req.body === undefined && (length > 0 || req.get('transfer-encoding'))) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body as application/json.' });
  }
  const missing = req.body === undefined || isEmpty(req);
  // Published clients omit bodies whose fields are all optional.
  if (missing && spec.bodyRequired && !spec.nullIsAbsent)
    throw new ValidationProblem([{ loc: ['body'], msg: 'Send a JSON body.', type: 'missing' }]);
  if (missing && !spec.bodyRequired) return {};
  const given: unknown = missing ? {} : req.body;
  refuseKeys(spec, given);
  const body = parsePart('body', spec.body, given, spec.nullIsAbsent);
  nameIgnored(res, ignoredKeys(spec, given, body));
  return body;
}

function nameIgnored(res: Response, keys: string | undefined): void {
  if (keys !== undefined) res.setHeader(IGNORED_KEYS_HEADER, keys);
}

const isText = (req: Request) => /^\s*(text\/|application\/(x-)?yaml\b)/i.test(req.get('content-type') ?? '');

const specificity = (path: string) =>
  [...path.matchAll(/\{/g)].reduce((sum, match) => sum + 1000 - match.index, 0);
