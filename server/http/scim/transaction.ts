import type { Request, Response } from 'express';
import { appendAudit, type AuditRow } from '../../db/audit/auditLog';
import { withTransaction } from '../../db/core/client';
import { setRequestId } from '../../db/core/requestId';
import { createTurns } from '../../db/core/turns';
import type { ScimConnection } from '../../db/teams/scimTokens';
import { ScimError } from '../../domain/teams/scim/scimError';
import { currentSpan } from '../../drivers/tracing';
import type { Provisioning } from '../../operations/teams/scim/provisioning';
import type { Services } from '../../operations/types';

/**
 * Maximum writes of a connection in progress or queued, each with a body of up to 64 KiB. Providers send few at a
 * time.
 */
const MAX_PENDING = 100;

/**
 * Returns a function that prepares an identity provider's request. Its changes are audited in its team's log,
 * made by the system on the provider's behalf.
 */
export function createProvisioning({ config, db, mail }: Services) {
  const inTurn = createTurns<number>({
    concurrency: 1,
    maxPending: MAX_PENDING,
    refusal: () => new ScimError(429, `${MAX_PENDING} changes are in progress. Try again in a minute.`),
  });
  return (connection: ScimConnection, req: Request, res: Response): Provisioning => {
    const request_id = String(res.locals.request_id);
    const origin = {
      actor_kind: 'system',
      ip: req.ip ?? null,
      user_agent: (req.get('user-agent') ?? '').slice(0, 400),
      request_id,
    } as const;
    return {
      config,
      db,
      mail,
      connection,
      write: (work) =>
        inTurn(connection.id, () =>
          withTransaction(db, async (trx) => {
            await setRequestId(trx, request_id, currentSpan()?.traceparent);
            const entries: AuditRow[] = [];
            const result = await work({
              trx,
              audit: async (entry) => void entries.push({ team_id: connection.team_id, ...entry, ...origin }),
            });
            // Late in the transaction: the team's other writers wait from here until the commit.
            await appendAudit(trx, entries);
            return result;
          }),
        ),
    };
  };
}
