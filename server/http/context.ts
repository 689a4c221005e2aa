import type { Request, Response } from 'express';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { appendAudit, type AuditRow } from '../db/auditLog';
import { withTransaction } from '../db/client';
import type { AuditEntry, Context, Services, Write } from '../operations/types';
import { identify, teamInPath } from './auth';
import { readCookie } from './cookies';
import { idempotencyOf, storeIdempotent } from './idempotency';

const PASSED_HEADERS = [
  'x-prepare-only',
  'x-compose-hash',
  'x-transaction-hash',
  'if-match',
  'last-event-id',
  'accept',
] as const;

/** One for all: every response closes, and a new exception with its stack is dear. */
const ENDED = new DOMException('The request has ended', 'AbortError');

/** Everything a handler may know of the request; Express itself stays on this side. */
export async function createContext(
  services: Services,
  id: OperationId,
  req: Request,
  res: Response,
): Promise<Context> {
  const request_id = String(res.locals.request_id);
  const log = (res.locals.log as Logger | undefined) ?? services.log.child({ request_id });
  const { caller, session_token } = await identify(services, req, teamInPath(operations[id], req));
  const abort = new AbortController();
  res.once('close', () => abort.abort(ENDED));
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
    signal: abort.signal,
    write: (work) =>
      withTransaction(services.db, async (trx) => {
        const entries: AuditRow[] = [];
        const write: Write = {
          trx,
          async audit(entry) {
            entries.push(auditRow(ctx, entry, operations[id].tag === 'admin'));
          },
        };
        // What is begun in here names the request that began it (0025).
        await sql`select set_config('teehouse.request_id', ${request_id}, true)`.execute(trx);
        const result = await work(write);
        if (entries.length === 0) throw new Error(`${id} wrote without an audit row`);
        // After the work: the team's other writers wait from here to the commit.
        await appendAudit(trx, entries);
        const idempotency = idempotencyOf(ctx);
        if (idempotency) await storeIdempotent(trx, idempotency, result);
        return result;
      }),
  };
  return ctx;
}

/**
 * What an entry says of who asked, and from where. What the admin area does stands in the platform's log, unless it was
 * done to a team: that one sees staff in its own.
 */
export function auditRow(ctx: Context, entry: AuditEntry, admin = true): AuditRow {
  const { caller } = ctx;
  const own_team = admin ? null : (caller.team?.id ?? null);
  const team_id = entry.team_id === undefined ? own_team : entry.team_id;
  const staff = caller.as_staff || (admin && team_id !== null);
  return {
    actor_kind: entry.actor_kind ?? (staff ? 'staff' : caller.kind === 'session' ? 'user' : caller.kind),
    actor_user_id: entry.actor_user_id ?? caller.user?.id ?? null,
    on_behalf_of_user_id: entry.on_behalf_of_user_id ?? caller.view_as?.staff.id ?? null,
    token_id: caller.token_id,
    team_id,
    action: entry.action,
    target_kind: entry.target_kind ?? null,
    target_id: entry.target_id ?? null,
    before: entry.before,
    after: entry.after,
    ip: ctx.ip,
    user_agent: ctx.user_agent,
    request_id: ctx.request_id,
  };
}
