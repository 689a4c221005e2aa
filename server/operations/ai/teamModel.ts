import type { Tx } from '../../db/core/client';
import type { Json } from '../../db/core/json';
import { lockTeamModel, type TeamModel } from '../../db/ai/teamModels';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { AuditEntry, Context } from '../types';

/** Returns a model of the caller's team, locked until the transaction ends. @throws NOT_FOUND */
export async function holdTeamModel(trx: Tx, ctx: Context, public_id: string): Promise<TeamModel> {
  const row = await lockTeamModel(trx, teamOf(ctx).id, public_id);
  if (!row) throw new Problem('NOT_FOUND', { message: 'The team has no such AI model.' });
  return row;
}

export const auditView = (row: TeamModel): Json => ({
  model: row.model,
  name: row.name,
  description: row.description,
  context_length: row.context_length,
  endpoints: row.endpoints,
  input_modalities: row.input_modalities,
  output_modalities: row.output_modalities,
  base_url: row.url,
});

export const auditOf = (row: TeamModel, action: string): AuditEntry => ({
  action: `ai_model.${action}`,
  target_kind: 'ai_model',
  target_id: row.public_id,
});
