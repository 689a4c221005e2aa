import type { Handler } from '../../types';
import { lockChat } from './chat';

export const deleteAdminChatLink: Handler<'deleteAdminChatLink'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const chat = await lockChat(trx, ctx, path.id);
    await trx.deleteFrom('chats').where('id', '=', path.id).execute();
    await audit({
      action: 'chat.unlink',
      target_kind: 'chat',
      target_id: String(path.id),
      before: { title: chat.title, kind: chat.kind },
    });
    return { status: 204 } as const;
  });
