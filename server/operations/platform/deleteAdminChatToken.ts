import type { Handler } from '../types';
import { chatOut } from './chat';

export const deleteAdminChatToken: Handler<'deleteAdminChatToken'> = async ({ ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { service } = ctx.config.chatBot;
    const gone = await trx
      .deleteFrom('chat_bots')
      .where('service', '=', service)
      .returning('username')
      .executeTakeFirst();
    await audit({
      action: 'chat.token.delete',
      target_kind: 'chat_bot',
      target_id: service,
      before: gone ? { username: gone.username } : null,
    });
    return { status: 200, body: await chatOut(trx, ctx) } as const;
  });
