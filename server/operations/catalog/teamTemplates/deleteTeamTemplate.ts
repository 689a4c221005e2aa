import { deleteTeamTemplate as deleteRow } from '../../../db/catalog/teamTemplates';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';
import { auditOf, auditView, holdTeamTemplate } from './teamTemplate';

export const deleteTeamTemplate: Handler<'deleteTeamTemplate'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'templates.write');
    const row = await holdTeamTemplate(trx, ctx, path.template_id);
    await deleteRow(trx, row);
    await audit({ ...auditOf(row, 'delete'), before: auditView(row) });
    return { status: 204 } as const;
  });
