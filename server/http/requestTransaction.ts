import type { OperationId } from '../../generated/api/operations.gen';
import type { Config } from '../config';
import { appendAudit, type AuditRow } from '../db/audit/auditLog';
import { withTransaction, type Tx } from '../db/core/client';
import { setRequestId } from '../db/core/requestId';
import { createTurns } from '../db/core/turns';
import { Problem } from '../domain/core/problem';
import { currentSpan } from '../drivers/tracing';
import type { AuditEntry, Context, OwnWrite, Services, Unchanged } from '../operations/types';

interface RequestOf {
  services: Services;
  operation: OperationId;
  request_id: string;
  /** Returns the request's context. */
  ctx: () => Context;
  /** Whether this request's audit rows go to the platform's log. */
  admin: boolean;
  /** Runs in every audited transaction after its audit rows. Its return value is called after the commit. */
  beforeCommit?: (trx: Tx, result: unknown) => Promise<(() => void) | void>;
}

/** Maximum writes of a team in progress or queued: more than its members and tokens send in a second. */
const MAX_PENDING = 500;

/**
 * Creates a queue for each team's writes that holds no database connection. Writes lock rows of their team and
 * its audit log, so running more of them at a time would only tie up connections needed by other teams.
 */
export const createTeamTurns = (config: Pick<Config, 'databasePoolSize'>) =>
  createTurns<number>({
    concurrency: Math.floor(config.databasePoolSize / 2),
    maxPending: MAX_PENDING,
    refusal: () =>
      new Problem('RATE_LIMITED', {
        message: `${MAX_PENDING} changes of this team are in progress. Wait a few seconds and try again.`,
        retryAfter: 5,
      }),
  });

/** Thrown to roll back its transaction. */
class NothingChanged<T> extends Error implements Unchanged<T> {
  constructor(readonly result: T) {
    super('The request changed nothing');
  }
}

/** Returns a request's transaction functions, the only ones its handler uses. Rows written carry the request's ID. */
export function requestTransactions({
  services,
  operation,
  request_id,
  ctx,
  admin,
  beforeCommit,
}: RequestOf): Pick<Context, 'write' | 'writeUnaudited'> {
  const transaction = <T>(work: (trx: Tx) => Promise<T>): Promise<T> => {
    const run = () =>
      withTransaction(
        services.db,
        async (trx) => {
          await setRequestId(trx, request_id, currentSpan()?.traceparent);
          return work(trx);
        },
        { operation },
      );
    const { team } = ctx().caller;
    return team ? services.teamTurns(team.id, run) : run();
  };
  return {
    async write<T>(work: (write: OwnWrite) => Promise<T | Unchanged<T>>) {
      const write = transaction(async (trx) => {
        const entries: AuditRow[] = [];
        const result = await work({
          trx,
          audit: async (entry) => void entries.push(auditRow(ctx(), entry, admin)),
          unchanged: (found) => new NothingChanged(found),
        });
        if (result instanceof NothingChanged) throw result;
        if (entries.length === 0) throw new Error(`${operation} wrote without an audit row`);
        // Late in the transaction: the team's other writers wait from here until the commit.
        await appendAudit(trx, entries);
        return { result: result as T, committed: await beforeCommit?.(trx, result) };
      });
      const { result, committed } = await write.catch((error: unknown) => {
        if (error instanceof NothingChanged) return { result: error.result as T, committed: undefined };
        throw error;
      });
      committed?.();
      return result;
    },
    writeUnaudited: transaction,
  };
}

/**
 * Records who made the change, and from where. Admin-area changes are by staff and go to the platform's log,
 * unless they affect a team: then that team's log shows the staff action.
 */
function auditRow(ctx: Context, entry: AuditEntry, admin: boolean): AuditRow {
  const { caller } = ctx;
  const own_team = admin ? null : (caller.team?.id ?? null);
  const team_id = entry.team_id === undefined ? own_team : entry.team_id;
  const staff = caller.as_staff || admin;
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
