import { lockAiGateway } from '../../../db/ai/aiGateways';
import { controlUrls } from '../../../domain/ai/gatewayCompose';
import { hashToken, newToken, tokenHint, tokenPrefix } from '../../../domain/teams/token';
import { nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const issueAdminAiGatewayTokens: Handler<'issueAdminAiGatewayTokens'> = async ({ path, ctx }) => {
  const [control_token, config_token] = [newToken('aig'), newToken('aig')];
  const token_hint = tokenHint({
    token_prefix: tokenPrefix(control_token),
    token_last4: control_token.slice(-4),
  });
  return ctx.write(async ({ trx, audit }) => {
    const before = await lockAiGateway(trx, path.id);
    if (!before) throw missing(aiGateways, path.id);
    await trx
      .updateTable('ai_gateways')
      .set({
        control_hash: hashToken(control_token),
        // Requests in progress are reported with it.
        previous_control_hash: before.control_hash,
        config_hash: hashToken(config_token),
        token_hint,
        tokens_issued_at: new Date(),
        updated_at: nextVersion(before),
      })
      .where('id', '=', path.id)
      .execute();
    await audit({
      action: 'ai_gateway.issue_tokens',
      target_kind: 'ai_gateway',
      target_id: String(path.id),
      before: { token_hint: before.token_hint },
      after: { token_hint },
    });
    return {
      status: 200,
      body: { ...controlUrls(ctx.config.publicUrl), control_token, config_token },
    } as const;
  });
};
