import { settleAiRequests } from '../../../db/ai/aiRequests';
import type { Db } from '../../../db/core/client';
import { publicId } from '../../../domain/core/publicId';

interface Written {
  at: string;
  cost_picos: number;
  model?: string;
  input_tokens?: number;
  output_tokens?: number;
}

/** Records AI requests of teams as the gateway does when they end. */
export function startAiRequests(db: Db) {
  const keys = new Map<number, number>();

  async function keyOf(team_id: number): Promise<number> {
    const known = keys.get(team_id);
    if (known !== undefined) return known;
    const { id } = await db
      .insertInto('ai_keys')
      .values({
        public_id: publicId('aik'),
        team_id,
        name: 'Bot',
        secret_hash: Buffer.from(`key ${team_id}`),
        secret_prefix: 'thk_ai_',
        secret_last4: '0000',
        previous_hash: null,
        previous_until: null,
        models: null,
        requests_per_minute: null,
        tokens_per_minute: null,
        created_by: null,
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    keys.set(team_id, id);
    return id;
  }

  /** @param request_id of the hold to release */
  return async (
    team_id: number,
    { at, cost_picos, model = 'acme/large', input_tokens = 100, output_tokens = 10 }: Written,
    {
      request_id = publicId('chatcmpl'),
      receipt_id = publicId('rcpt'),
      receipt = {} as Record<string, unknown>,
    } = {},
  ): Promise<void> =>
    settleAiRequests(db, [
      {
        hold_id: request_id,
        public_id: request_id,
        team_id,
        key_id: await keyOf(team_id),
        created_at: new Date(at),
        model,
        endpoint: 'chat.completions',
        status: 200,
        outcome: 'completed',
        is_streamed: false,
        input_tokens,
        cached_tokens: 0,
        output_tokens,
        reasoning_tokens: 0,
        first_token_ms: 1,
        duration_ms: 1,
        cost_picos,
        receipt_id,
        receipt,
        upstream_id: null,
      },
    ]);
}
