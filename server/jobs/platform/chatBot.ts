import type { Logger } from 'pino';
import {
  botLeases,
  claimMessages,
  findBot,
  finishMessage,
  holdBot,
  messageLeases,
  lockHeldBot,
  noteAsked,
  type DueMessage,
  type SendOutcome,
} from '../../db/platform/chat';
import { withTransaction, type Db } from '../../db/core/client';
import type { ChatBotRow } from '../../db/platform/chatBotsTable';
import { hint } from '../../domain/platform/chatCommands';
import type { Seal } from '../../domain/core/seal';
import { ChatError, type ChatClient, type ChatDriver, type ChatUpdate } from '../../drivers/chat';
import { answerUpdate } from './chatAnswers';
import { deadExcept, isDeadWorker } from '../core/workerId';

/** Purpose under which the token is sealed. */
export const TOKEN_PURPOSE = 'chat-bot-token';

/** Long-poll timeout in seconds. */
const WAIT_SECONDS = 25;
const BATCH_SIZE = 20;
/** Telegram allows one message a second per chat, and twenty a minute per group. */
const REST_SECONDS = { person: 1, group: 3, channel: 3 } as const;
/** A stranger's chat gets linking instructions at most this often. */
const HINT_MS = 60_000;

export interface ChatBotOptions {
  db: Db;
  driver: ChatDriver;
  service: string;
  seal: Seal;
  publicUrl: string;
  log: Logger;
  owner: string;
}

export interface ChatBot {
  /** Polls once for updates and processes them; blocks at the service while there are none. */
  listen(): Promise<void>;
  /** Sends due messages. */
  send(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The bot's two loops. Commands are processed exactly once: the next update's number is stored with their
 * results. Messages are sent at least once: a process that dies between sending a message and recording that
 * sends it again.
 */
export function createChatBot({ db, driver, service, seal, publicUrl, log, owner }: ChatBotOptions): ChatBot {
  const stopping = new AbortController();
  let silentUntil = 0;
  const hinted = new Map<string, number>();
  const clientOf = (bot: ChatBotRow): ChatClient =>
    driver.connect(seal.open(TOKEN_PURPOSE, bot.sealed_token));

  /** Strangers are answered immediately or not at all: nothing about them is stored. */
  async function hintTo(client: ChatClient, chat_ref: string): Promise<void> {
    const now = Date.now();
    for (const [ref, at] of hinted) if (now - at > HINT_MS) hinted.delete(ref);
    if (hinted.has(chat_ref) || hinted.size >= 1000) return;
    hinted.set(chat_ref, now);
    await client.send(chat_ref, hint(publicUrl, service)).catch(() => undefined);
  }

  async function handle(bot: ChatBotRow, update: ChatUpdate): Promise<'strange' | 'done' | 'lost'> {
    return withTransaction(db, async (trx) => {
      const held = await lockHeldBot(trx, bot);
      if (!held) return 'lost';
      if (update.number < held.next_update) return 'done';
      const known = update.message === null || (await answerUpdate(trx, service, update.message));
      await noteAsked(trx, held, { next_update: update.number + 1, last_error: null });
      return known ? 'done' : 'strange';
    });
  }

  async function sendOne(client: ChatClient, due: DueMessage): Promise<void> {
    await finishMessage(db, due, await outcomeOf(client, due));
  }

  return {
    async listen() {
      if (Date.now() < silentUntil || stopping.signal.aborted) return;
      const bot = await holdBot(db, service, owner, isDeadWorker);
      if (!bot) return;
      try {
        const client = clientOf(bot);
        const updates = await client.updates(bot.next_update, WAIT_SECONDS, stopping.signal);
        if (updates.length === 0) await noteAsked(db, bot, { last_error: null });
        for (const update of updates) {
          const how = await handle(bot, update);
          if (how === 'lost') return;
          if (how === 'strange' && update.message) await hintTo(client, update.message.chat_ref);
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!(error instanceof ChatError)) throw error;
        silentUntil = Date.now() + waitAfter(error) * 1000;
        // Logged once per problem: the bot is polled every few seconds, and its page shows the error.
        const level = error.message === bot.last_error ? 'debug' : 'warn';
        log[level]({ failure: error.failure }, `the chat bot: ${error.message}`);
        await noteAsked(db, bot, { last_error: error.message });
      }
    },
    async send() {
      await messageLeases.releaseHeldBy(db, deadExcept(owner));
      const bot = await findBot(db, service);
      if (!bot) return;
      const due = await claimMessages(db, { service, owner, limit: BATCH_SIZE });
      if (due.length === 0) return;
      const client = clientOf(bot);
      await Promise.all(due.map((one) => sendOne(client, one)));
    },
    async stop() {
      stopping.abort();
      await botLeases.release(db, service, owner);
    },
  };
}

const waitAfter = ({ failure, retryAfter }: ChatError) =>
  failure === 'busy' ? retryAfter : failure === 'token' ? 60 : 5;

async function outcomeOf(client: ChatClient, { message, chat, text }: DueMessage): Promise<SendOutcome> {
  const rest_seconds = REST_SECONDS[chat.kind];
  try {
    if (message.message_ref === null)
      return { state: 'sent', message_ref: await client.send(chat.chat_ref, text), rest_seconds };
    await client.edit(chat.chat_ref, message.message_ref, text);
    return { state: 'sent', message_ref: message.message_ref, rest_seconds };
  } catch (error) {
    const failure =
      error instanceof ChatError ? error : new ChatError('down', 'the message could not be sent');
    const last_error = failure.message;
    switch (failure.failure) {
      case 'chat':
        return { state: 'failed', last_error, refused: true };
      case 'gone':
        // A user deleted it; its update is not worth a new message.
        return { state: 'failed', last_error, refused: false };
      case 'busy':
        return { state: 'waiting', after_seconds: failure.retryAfter, last_error, counts: false };
      case 'token':
        return { state: 'waiting', after_seconds: 60, last_error, counts: false };
      default:
        return {
          state: 'waiting',
          after_seconds: Math.min(300, 2 ** message.attempts),
          last_error,
          counts: true,
        };
    }
  }
}
