import { timingSafeEqual } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DATABASE_RETRY_SECONDS, isDatabaseUnavailable } from '../../db/core/unavailable';
import { connectionOfScimToken, noteScimUse, type ScimConnection } from '../../db/teams/scimTokens';
import { listScimUsers } from '../../db/teams/scimUsers';
import type { ScimUserRow } from '../../db/teams/scimTables';
import {
  MAX_RESULTS,
  serviceProviderConfig,
  userResourceType,
  userSchema,
} from '../../domain/teams/scim/discovery';
import { parseFilter, USER_SCHEMA } from '../../domain/teams/scim/filter';
import { project, readProjection } from '../../domain/teams/scim/projection';
import { scimBase, scimListOut, scimUserOut, scimUserUrl } from '../../domain/teams/scim/response';
import { invalidValue, ScimError, scimErrorOut } from '../../domain/teams/scim/scimError';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import { noUser, wrongToken, type Provisioning } from '../../operations/teams/scim/provisioning';
import { createUser, deleteUser, getUser, patchUser, replaceUser } from '../../operations/teams/scim/users';
import type { Services } from '../../operations/types';
import { isWithin } from '../connection/rateHeaders';
import { createWrongTokens } from '../connection/wrongTokens';
import { readBody } from './readBody';
import { createProvisioning } from './transaction';

/** A user with every attribute that providers send has a few KB. */
const MAX_BYTES = 64 * 1024;
/** Requests per connection and minute: Entra's first synchronization sends 25 per second. */
const ASKED = { name: 'scim', points: 1800, duration: 60 };

/**
 * SCIM 2.0 (RFC 7643, RFC 7644) at `/scim/v2`: a team's identity provider adds and removes its members. The token
 * determines the connection and thus the team. Mounted before JSON parsing; its clients aren't users.
 */
export function mountScim(app: Express, services: Services): void {
  const scim = express.Router();
  const base = scimBase(services.config);
  const mayTry = createWrongTokens();
  const asked = new RateLimiterMemory(ASKED);
  const provisioningOf = createProvisioning(services);

  // Before the body is read: only a provider may use this server's memory.
  scim.use(async (req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    const connection = await connectionOf(services, req);
    if (!connection) {
      throw (await mayTry(req)) ? wrongToken() : tooMany();
    }
    if (!(await isWithin(asked, ASKED, connection.id, res))) throw tooMany();
    await noteScimUse(services.db, connection.id);
    res.locals.provisioning = provisioningOf(connection, req, res);
    next();
  });
  scim.use(express.raw({ type: () => true, limit: MAX_BYTES }));

  const of = (res: Response) => res.locals.provisioning as Provisioning;
  /**
   * Answers with the user that a request finds or changes. Parameters are parsed first: an invalid one changes
   * nothing.
   */
  const user =
    (status: number, work: (given: Provisioning, req: Request) => Promise<ScimUserRow>) =>
    async (req: Request, res: Response) => {
      const projection = readProjection(req.query);
      const row = await work(of(res), req);
      res.setHeader('Location', scimUserUrl(base, row));
      send(res, status, project(scimUserOut(base, row), projection));
    };

  scim.get('/ServiceProviderConfig', (_req, res) => send(res, 200, serviceProviderConfig(base)));
  scim.get('/ResourceTypes', (_req, res) => send(res, 200, scimListOut([userResourceType(base)], 1, 1)));
  scim.get('/ResourceTypes/User', (_req, res) => send(res, 200, userResourceType(base)));
  scim.get('/Schemas', (_req, res) => send(res, 200, scimListOut([userSchema(base)], 1, 1)));
  scim.get('/Schemas/:id', (req, res) => {
    if (req.params.id !== USER_SCHEMA) throw new ScimError(404, 'Schema not found.');
    send(res, 200, userSchema(base));
  });

  scim.get('/Users', async (req, res) => {
    const { filter, startIndex, count } = pageOf(req);
    const projection = readProjection(req.query);
    const { db, connection } = of(res);
    const { rows, total } = await listScimUsers(db, connection.id, {
      filter,
      offset: startIndex - 1,
      limit: count,
    });
    const users = rows.map((row) => project(scimUserOut(base, row), projection));
    send(res, 200, scimListOut(users, total, startIndex));
  });
  scim.post(
    '/Users',
    user(201, async (given, req) => createUser(given, readBody(req))),
  );
  scim.get(
    '/Users/:id',
    user(200, async (given, req) => getUser(given, idOf(req))),
  );
  scim.put(
    '/Users/:id',
    user(200, async (given, req) => replaceUser(given, idOf(req), readBody(req))),
  );
  scim.patch(
    '/Users/:id',
    user(200, async (given, req) => patchUser(given, idOf(req), readBody(req))),
  );
  scim.delete('/Users/:id', async (req, res) => {
    await deleteUser(of(res), idOf(req));
    res.status(204).end();
  });

  // Okta reads groups before it imports users, and stops at an error.
  scim.get('/Groups', (_req, res) => send(res, 200, scimListOut([], 0, 1)));

  scim.use((req) => {
    if (/^\/(Groups|Bulk|Me|\.search|Users\/\.search)(\/|$)/i.test(req.path))
      throw new ScimError(
        501,
        'This server provisions users only, one at a time. Roles follow the rules of single sign-on.',
      );
    throw new ScimError(404, 'Endpoint not found.');
  });
  scim.use(errors(services));
  app.use('/scim/v2', scim);
}

const tooMany = () => new ScimError(429, 'Too many requests. Try again in a minute.');

function send(res: Response, status: number, body: object): void {
  res.status(status).type('application/scim+json').send(JSON.stringify(body));
}

/** Compares hashes in constant time; callers can't choose a hash's bytes individually. */
async function connectionOf({ db }: Services, req: Request): Promise<ScimConnection | undefined> {
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '') ?? [];
  if (!token.startsWith('thk_scim_') || !isWellFormedToken(token)) return undefined;
  const given = hashToken(token);
  const connection = await connectionOfScimToken(db, given);
  return connection && timingSafeEqual(given, connection.token_hash) ? connection : undefined;
}

/** @throws {ScimError} 404 for text that can't be a user's ID and that PostgreSQL may reject */
function idOf({ params }: Request): string {
  const id = String(params.id);
  if (!/^scu_[0-9a-z]{1,60}$/.test(id)) throw noUser();
  return id;
}

/** @throws {ScimError} 400 */
function pageOf({ query }: Request) {
  const { filter, startIndex, count } = query;
  if (filter !== undefined && typeof filter !== 'string') throw invalidValue('filter: Send one filter.');
  return {
    filter: filter === undefined ? null : parseFilter(filter),
    // Smaller values count as these (RFC 7644 §3.4.2.4).
    startIndex: Math.max(1, wholeNumber('startIndex', startIndex) ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, wholeNumber('count', count) ?? MAX_RESULTS)),
  };
}

function wholeNumber(name: string, value: unknown): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value))
    throw invalidValue(`${name}: Send a whole number.`);
  return Number(value);
}

const errors =
  ({ log }: Services): ErrorRequestHandler =>
  (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const problem = problemOf(error);
    const { request_id } = res.locals as { request_id?: string };
    if (problem.status === 500) log.error({ err: error, request_id }, 'a SCIM request failed');
    if (problem.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    if (problem.status === 429) res.setHeader('Retry-After', '60');
    if (problem.status === 503) res.setHeader('Retry-After', String(DATABASE_RETRY_SECONDS));
    send(res, problem.status, scimErrorOut(problem));
  };

function problemOf(error: unknown): ScimError {
  if (error instanceof ScimError) return error;
  // From the body parser: too large, unknown encoding, or broken connection.
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new ScimError(413, `Send at most ${MAX_BYTES / 1024} KiB.`);
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ScimError(status, 'The body could not be read.');
  if (isDatabaseUnavailable(error))
    return new ScimError(503, "The database isn't available at the moment. Try again in a few seconds.");
  return new ScimError(500, 'Internal server error. Try again later.');
}
