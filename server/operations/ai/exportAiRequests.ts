import type { AiRequest } from '../../../generated/api/types.gen';
import { everyAiRequest } from '../../db/ai/aiRequests';
import { aiRequestOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import { dataFile } from '../core/dataFile';
import type { Handler } from '../types';

const COLUMNS = {
  created_at: (row: AiRequest) => row.created_at,
  id: (row: AiRequest) => row.id,
  key_id: (row: AiRequest) => row.key_id,
  key_name: (row: AiRequest) => row.key_name,
  model: (row: AiRequest) => row.model,
  endpoint: (row: AiRequest) => row.endpoint,
  status: (row: AiRequest) => row.status,
  outcome: (row: AiRequest) => row.outcome,
  is_streamed: (row: AiRequest) => row.is_streamed,
  input_tokens: (row: AiRequest) => row.input_tokens,
  cached_tokens: (row: AiRequest) => row.cached_tokens,
  output_tokens: (row: AiRequest) => row.output_tokens,
  reasoning_tokens: (row: AiRequest) => row.reasoning_tokens,
  is_estimated: (row: AiRequest) => row.is_estimated,
  first_token_ms: (row: AiRequest) => row.first_token_ms,
  duration_ms: (row: AiRequest) => row.duration_ms,
  cost: (row: AiRequest) => row.cost,
  gateway: (row: AiRequest) => row.gateway,
  receipt_id: (row: AiRequest) => row.receipt_id,
};

export const exportAiRequests: Handler<'exportAiRequests'> = async ({ query, ctx }) => {
  const { format = 'csv', key_id } = query;
  const of = { team_id: teamOf(ctx).id, ...(key_id === undefined ? {} : { key_id }) };
  async function* batches() {
    for await (const rows of everyAiRequest(ctx.db, of)) yield rows.map(aiRequestOut);
  }
  return dataFile(ctx, { what: 'ai-requests', format, columns: COLUMNS, batches: batches() });
};
