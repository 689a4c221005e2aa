import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import type { Context, Services } from '../operations/types';
import { identify, teamInPath, type Identity } from './auth';
import { applyDefaultVersion } from './compat/apiVersion';
import { readCookie } from './cookies';
import type { Caller } from '../domain/core/caller';
import { Problem } from '../domain/core/problem';
import { idempotencyOf, storeIdempotent } from './idempotency';
import { requestTransactions } from './requestTransaction';

const PASSED_HEADERS = [
  'idempotency-key',
  'x-prepare-only',
  'x-compose-hash',
  'x-transaction-hash',
  'if-match',
  'last-event-id',
  'accept',
] as const;

/** Shared, because every response closes and a new exception with its stack is expensive. */
const ENDED = new DOMException('The request has ended', 'AbortError');

/** One signal per response, however many operations it performs. */
function signalOf(res: Response): AbortSignal {
  const { locals } = res as { locals: { ended?: AbortSignal } };
  if (!locals.ended) {
    const abort = new AbortController();
    res.once('close', () => abort.abort(ENDED));
    locals.ended = abort.signal;
  }
  return locals.ended;
}

/**
 * Returns everything a handler may know about the request; Express stays behind it.
 * @param known the caller, if already authenticated; the team in the path is then ignored
 */
export async function createContext(
  services: Services,
  id: OperationId,
  req: Request,
  res: Response,
  known?: Caller,
): Promise<Context> {
  const request_id = String(res.locals.request_id);
  const log = (res.locals.log as Logger | undefined) ?? services.log.child({ request_id });
  const { caller, session_token, default_version }: Identity = known
    ? { caller: known, session_token: null }
    : await identify(services, req, teamInPath(operations[id], req));
  applyDefaultVersion(req, res, default_version);
  const headers: Context['headers'] = Object.fromEntries(
    PASSED_HEADERS.flatMap((name) =>
      typeof req.headers[name] === 'string' ? [[name, req.headers[name]]] : [],
    ),
  );
  const ctx: Context = {
    ...services,
    log,
    request_id,
    caller,
    session_token,
    cookie: (name) => readCookie(req, name),
    headers,
    ip: req.ip ?? '',
    user_agent: (req.get('user-agent') ?? '').slice(0, 400),
    signal: signalOf(res),
    ...requestTransactions({
      services,
      operation: id,
      request_id,
      ctx: () => ctx,
      admin: operations[id].tag === 'admin',
      async beforeCommit(trx, result) {
        const idempotency = idempotencyOf(ctx);
        // A refusal's writes are kept; the next request with this key is a new attempt.
        if (idempotency && !(result instanceof Problem)) await storeIdempotent(trx, idempotency, result);
      },
    }),
  };
  return ctx;
}
