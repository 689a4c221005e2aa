import { addAnswer, findBot } from '../../db/platform/chat';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { linkOut, lockChat, withoutToken } from './chat';

export const testAdminChatLink: Handler<'testAdminChatLink'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const chat = await lockChat(trx, ctx, path.id);
    if (!(await findBot(trx, chat.service))) throw withoutToken();
    if (chat.state === 'refused')
      throw new Problem('CONFLICT', {
        message: `${ctx.chat.name} does not deliver to this chat: ${chat.last_error ?? 'it was refused'}.`,
        suggestions: ['Link it again with a new code.'],
      });
    await addAnswer(trx, chat.id, `Test from ${userOf(ctx).username}: this chat receives alerts.`);
    await audit({ action: 'chat.test', target_kind: 'chat', target_id: String(chat.id) });
    return { status: 202, body: await linkOut(trx, ctx, chat.id) } as const;
  });
