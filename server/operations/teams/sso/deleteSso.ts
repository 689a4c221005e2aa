import { deleteConnection, lockConnection } from '../../../db/teams/sso';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { auditView, noConnection } from './connection';

/** Members it created stay with their role; they set a password with a reset link. */
export const deleteSso: Handler<'deleteSso'> = async ({ ctx }) => {
  const team = teamOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const row = await lockConnection(trx, team.id);
    if (!row) throw noConnection();
    await deleteConnection(trx, row.id);
    await audit({
      action: 'sso.delete',
      target_kind: 'sso_connection',
      target_id: row.public_id,
      team_id: team.id,
      before: auditView(row),
    });
    return { status: 204 } as const;
  });
};
