import type { Handler } from '../../types';
import { checkedReply } from './upstream';

export const checkAdminAiUpstream: Handler<'checkAdminAiUpstream'> = async ({ path, ctx }) => {
  const reply = await checkedReply(ctx, path.id);
  await ctx.write(({ audit }) =>
    audit({
      action: 'ai_upstream.check',
      target_kind: 'ai_upstream',
      target_id: String(path.id),
      after: { health: reply.body.health },
    }),
  );
  return reply;
};
