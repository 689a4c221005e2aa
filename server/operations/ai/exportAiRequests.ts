import { everyAiRequest } from '../../db/ai/aiRequests';
import type { Db } from '../../db/core/client';
import { aiRequestOut } from '../../domain/ai/aiResponse';
import { csvLine } from '../../../console/lib/texts/csv';
import { teamOf } from '../core/caller';
import { attachment } from '../metrics/attachment';
import type { Handler } from '../types';

const COLUMNS = [
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
] as const;

export const exportAiRequests: Handler<'exportAiRequests'> = async ({ query, ctx }) => {
  const { id, slug } = teamOf(ctx);
  const day = new Date().toISOString().slice(0, 10);
  const of = { team_id: id, ...(query.key_id === undefined ? {} : { key_id: query.key_id }) };
  return attachment(`${slug}-ai-requests-${day}`, linesOf(ctx.db, of));
};

async function* linesOf(db: Db, of: { team_id: number; key_id?: string }): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const rows of everyAiRequest(db, of)) {
    const lines = rows.map(aiRequestOut).map((row) => csvLine(COLUMNS.map((name) => cellOf(row[name]))));
    if (lines.length > 0) yield lines.join('');
  }
}

const cellOf = (value: string | number | boolean | null) =>
  typeof value === 'boolean' ? String(value) : value;
