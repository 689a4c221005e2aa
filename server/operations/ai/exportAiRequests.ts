import { everyAiRequest } from '../../db/ai/aiRequests';
import { aiRequestOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import { dataFile, fieldColumns } from '../core/dataFile';
import type { Handler } from '../types';

const COLUMNS = fieldColumns(
  'created_at',
  'id',
  'key_id',
  'key_name',
  'model',
  'endpoint',
  'status',
  'outcome',
  'is_streamed',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'is_estimated',
  'first_token_ms',
  'duration_ms',
  'cost',
  'gateway',
  'receipt_id',
);

export const exportAiRequests: Handler<'exportAiRequests'> = async ({ query, ctx }) => {
  const { format = 'csv', key_id } = query;
  const of = { team_id: teamOf(ctx).id, ...(key_id === undefined ? {} : { key_id }) };
  async function* batches() {
    for await (const rows of everyAiRequest(ctx.db, of)) yield rows.map(aiRequestOut);
  }
  return dataFile(ctx, { what: 'ai-requests', format, columns: COLUMNS, batches: batches() });
};
