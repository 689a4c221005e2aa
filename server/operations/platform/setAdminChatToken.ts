import { NO_LEASE } from '../../db/core/leases';
import { ChatError, type ChatIdentity } from '../../drivers/chat';
import { TOKEN_PURPOSE } from '../../jobs/platform/chatBot';
import { Problem } from '../../domain/core/problem';
import type { Context, Handler } from '../types';
import { invalid } from '../core/invalid';
import { chatOut } from './chat';

/** Verifies the token with the service before replacing the current one. */
export const setAdminChatToken: Handler<'setAdminChatToken'> = async ({ body, ctx }) => {
  const token = body.token.trim();
  // The token becomes part of request URLs, so it must not change their target.
  if (!/^[A-Za-z0-9:_-]+$/.test(token)) throw invalid('token', "This isn't a valid token.");
  const bot = await identify(ctx, token);
  const { service } = ctx.config.chatBot;
  return ctx.write(async ({ trx, audit }) => {
    const before = await trx
      .selectFrom('chat_bots')
      .select(['bot_id', 'username'])
      .where('service', '=', service)
      .executeTakeFirst();
    const row = {
      sealed_token: ctx.seal.seal(TOKEN_PURPOSE, token),
      bot_id: bot.id,
      username: bot.username,
      name: bot.name,
      last_error: null,
      last_asked_at: null,
      ...NO_LEASE,
      updated_at: new Date(),
      // Another bot numbers its updates from the beginning.
      ...(before && before.bot_id !== bot.id ? { next_update: 0 } : {}),
    };
    await trx
      .insertInto('chat_bots')
      .values({ service, ...row })
      .onConflict((conflict) => conflict.column('service').doUpdateSet(row))
      .execute();
    await audit({
      action: 'chat.token.set',
      target_kind: 'chat_bot',
      target_id: service,
      before: before ? { username: before.username } : null,
      after: { username: bot.username },
    });
    return { status: 200, body: await chatOut(trx, ctx) } as const;
  });
};

async function identify(ctx: Context, token: string): Promise<ChatIdentity> {
  try {
    return await ctx.chat.connect(token).identify();
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    if (error.failure === 'token') throw invalid('token', `${ctx.chat.name} doesn't recognize this token.`);
    throw new Problem('VALIDATION_FAILED', {
      message: `${ctx.chat.name} couldn't be reached, so the token wasn't saved.`,
      details: [{ field: 'token', message: error.message }],
      suggestions: ['Try again in a minute.', 'Check that this server can reach it.'],
    });
  }
}
