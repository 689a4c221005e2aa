import { controlUrls } from '../../../domain/ai/gatewayCompose';
import type { Handler } from '../../types';
import { newGatewayTokens, replaceTokens } from './gatewayTokens';

export const issueAdminAiGatewayTokens: Handler<'issueAdminAiGatewayTokens'> = async ({ path, ctx }) => {
  const tokens = newGatewayTokens();
  return ctx.write(async (write) => {
    const hints = await replaceTokens(write, path.id, tokens);
    await write.audit({
      action: 'ai_gateway.issue_tokens',
      target_kind: 'ai_gateway',
      target_id: String(path.id),
      ...hints,
    });
    return { status: 200, body: { ...controlUrls(ctx.config.publicUrl), ...tokens } } as const;
  });
};
