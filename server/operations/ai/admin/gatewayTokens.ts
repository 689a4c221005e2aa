import { lockAiGateway } from '../../../db/ai/aiGateways';
import { hashToken, newToken, tokenHint, tokenPrefix } from '../../../domain/teams/token';
import { nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Write } from '../../types';

export interface GatewayTokens {
  control_token: string;
  config_token: string;
}

export const newGatewayTokens = (): GatewayTokens => ({
  control_token: newToken('aig'),
  config_token: newToken('aig'),
});

/** Replaces the gateway's tokens, which invalidates the old ones. @returns token hints @throws NOT_FOUND */
export async function replaceTokens(
  { trx }: Write,
  id: number,
  { control_token, config_token }: GatewayTokens,
): Promise<Record<'before' | 'after', { token_hint: string | null }>> {
  const before = await lockAiGateway(trx, id);
  if (!before) throw missing(aiGateways, id);
  const token_hint = tokenHint({
    token_prefix: tokenPrefix(control_token),
    token_last4: control_token.slice(-4),
  });
  await trx
    .updateTable('ai_gateways')
    .set({
      control_hash: hashToken(control_token),
      // Reports of requests in progress still use it.
      previous_control_hash: before.control_hash,
      config_hash: hashToken(config_token),
      token_hint,
      tokens_issued_at: new Date(),
      updated_at: nextVersion(before),
    })
    .where('id', '=', id)
    .execute();
  return { before: { token_hint: before.token_hint }, after: { token_hint } };
}
