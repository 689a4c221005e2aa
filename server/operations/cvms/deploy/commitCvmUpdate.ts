import { approvalByToken } from '../../../db/apps/approvals';
import { findCvm } from '../../../db/cvms/cvmLookup';
import type { ApprovalRow } from '../../../db/apps/approvalsTable';
import { findForeignTeam } from '../../../db/accounts/sessions';
import { roleOf } from '../../../db/teams/members';
import { permissionsOf } from '../../../domain/teams/permissions';
import type { Context, Handler } from '../../types';
import { commitUpdate, expired } from '../onChain/commitUpdate';
import { confirmationOf } from '../onChain/gate';

/** The token represents the member who prepared the update, and only for that update. */
export const commitCvmUpdate: Handler<'commitCvmUpdate'> = async ({ path, query, body, ctx }) => {
  const token = body?.token || query.token;
  const approval = token ? await approvalByToken(ctx.db, token) : undefined;
  const team = approval?.kind === 'update' ? await findForeignTeam(ctx.db, { id: approval.team_id }) : null;
  if (!approval || !team || !(await mayStill(ctx, approval))) throw expired();
  const asTeam = { ...ctx, caller: { ...ctx.caller, team } };
  const { cvm } = await findCvm(ctx.db, team.id, path.cvm_id).catch(() => Promise.reject(expired()));
  if (cvm.id !== approval.cvm_id) throw expired();
  const { correlation_id } = await commitUpdate(asTeam, approval, confirmationOf(body ?? {}));
  return { status: 202, body: { correlation_id, status: 'updating' } };
};

/** The token ends when the member who prepared the update loses membership or role. */
async function mayStill(
  { db }: Pick<Context, 'db'>,
  { team_id, requested_by }: ApprovalRow,
): Promise<boolean> {
  return (
    requested_by === null || permissionsOf(await roleOf(db, team_id, requested_by)).includes('cvms.write')
  );
}
