import type { Request, Response } from 'express';
import { appendAudit, type AuditRow } from '../../db/audit/auditLog';
import { withTransaction } from '../../db/core/client';
import { setRequestId } from '../../db/core/requestId';
import type { ScimConnection } from '../../db/teams/scimTokens';
import { currentSpan } from '../../drivers/tracing';
import type { Provisioning } from '../../operations/teams/scim/provisioning';
import type { Services } from '../../operations/types';
import { createTurns } from './turns';

/**
 * Returns a function that prepares a request of an identity provider. Its changes are in the log of its team, made by the system
 * on the provider's behalf.
 */
export function createProvisioning({ config, db, mail }: Services) {
  const inTurn = createTurns();
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
