import { findBot } from '../../db/platform/chat';
import { chatCodeHash, CODE_MINUTES, newChatCode } from '../../domain/platform/chatCommands';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { withoutToken } from './chat';

/** A new code replaces the administrator's earlier ones. */
export const createAdminChatCode: Handler<'createAdminChatCode'> = async ({ ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { service } = ctx.config.chatBot;
    const bot = await findBot(trx, service);
    if (!bot) throw withoutToken();
    const created_by = userOf(ctx).id;
    await trx
      .deleteFrom('chat_codes')
      .where('service', '=', service)
      .where('created_by', '=', created_by)
      .execute();
    const link_code = newChatCode();
    const expires_at = new Date(Date.now() + CODE_MINUTES * 60_000);
    await trx
      .insertInto('chat_codes')
      .values({ code_hash: chatCodeHash(link_code), service, created_by, expires_at })
      .execute();
    await audit({ action: 'chat.code.create', target_kind: 'chat_bot', target_id: service });
    return {
      status: 201,
      body: { link_code, expires_at: expires_at.toISOString(), bot_username: bot.username },
    } as const;
  });
