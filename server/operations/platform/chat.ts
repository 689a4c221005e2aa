import type { AdminChat } from '../../../generated/api/types.gen';
import { findBot, listChats } from '../../db/platform/chat';
import type { Db, Tx } from '../../db/core/client';
import type { ChatRow } from '../../db/platform/chatsTable';
import { Problem } from '../../domain/core/problem';
import { chatLinkOut } from '../../domain/platform/adminSystemResponse';
import type { Context } from '../types';

/** Returns the bot's state; for its token, only whether one is set. */
export async function chatOut(db: Db | Tx, ctx: Context): Promise<AdminChat> {
  const { service } = ctx.config.chatBot;
  const bot = await findBot(db, service);
  const chats = await listChats(db, service);
  const { open } = await db
    .selectFrom('alerts')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    service,
    state: !bot
      ? 'off'
      : bot.last_error !== null
        ? 'failing'
        : bot.last_asked_at === null
          ? 'connecting'
          : 'working',
    bot: bot ? { id: bot.bot_id, username: bot.username, name: bot.name } : null,
    last_error: bot?.last_error ?? null,
    last_asked_at: bot?.last_asked_at?.toISOString() ?? null,
    chats: chats.map(chatLinkOut),
    open_alerts: Number(open),
  };
}

/** @returns the error for what needs a bot */
export const withoutToken = () =>
  new Problem('CONFLICT', {
    message: 'The bot has no token.',
    suggestions: ["Set the bot's token first."],
  });

/** Locks and returns one linked chat. @throws NOT_FOUND */
export async function lockChat(trx: Tx, ctx: Context, id: number): Promise<ChatRow> {
  const row = await trx
    .selectFrom('chats')
    .selectAll()
    .where('id', '=', id)
    .where('service', '=', ctx.config.chatBot.service)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no chat ${id}.` });
  return row;
}

export const linkOut = async (trx: Tx, ctx: Context, id: number) => {
  const row = (await listChats(trx, ctx.config.chatBot.service)).find((chat) => chat.id === id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no chat ${id}.` });
  return chatLinkOut(row);
};
