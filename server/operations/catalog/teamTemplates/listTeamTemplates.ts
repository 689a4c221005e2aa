import { listTeamTemplates as listRows } from '../../../db/catalog/teamTemplates';
import { teamTemplateSummary } from '../../../domain/catalog/teamTemplate';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listTeamTemplates: Handler<'listTeamTemplates'> = async ({ ctx }) => ({
  status: 200,
  body: (await listRows(ctx.db, teamOf(ctx).id)).map(teamTemplateSummary),
});
