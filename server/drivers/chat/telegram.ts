import { Agent, request } from 'undici';
import { z } from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { ChatError, type ChatClient, type ChatDriver, type ChatUpdate } from './index';
import { ownValue } from '../../../console/lib/ownValue';

/** Telegram's Bot API (https://core.telegram.org/bots/api), or a compatible server. */

const ANSWER_MS = 10_000;
/** Characters per message, the API's own limit. */
const MAX_CHARACTERS = 4096;

const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() })
    .optional(),
});
const identity = z.object({
  id: z.number(),
  username: z.string().default(''),
  first_name: z.string().default(''),
});
const sent = z.object({ message_id: z.number() });
const chat = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
});
const message = z.object({
  chat,
  from: z.object({ username: z.string().optional(), first_name: z.string().optional() }).optional(),
  text: z.string().optional(),
});
const updates = z.array(
  z.object({
    update_id: z.number(),
    message: message.optional().catch(undefined),
    channel_post: message.optional().catch(undefined),
  }),
);

const KINDS: Readonly<Record<string, 'person' | 'group' | 'channel'>> = {
  private: 'person',
  channel: 'channel',
};

export function createTelegramDriver(origin: string): ChatDriver {
  const agent = new Agent({ connections: 8, connectTimeout: 5_000 });
  return {
    name: 'Telegram',
    connect: (token) => client(origin, agent, token),
    close: () => agent.destroy(),
  };
}

function client(origin: string, agent: Agent, token: string): ChatClient {
  /** The URL contains the token, so errors carry only our own wording. */
  async function call<T>(
    method: string,
    body: Record<string, unknown>,
    schema: z.ZodType<T>,
    { wait = 0, signal }: { wait?: number; signal?: AbortSignal } = {},
  ): Promise<T> {
    const timeout = wait * 1000 + ANSWER_MS;
    let status: number;
    let text: string;
    try {
      const reply = await request(`${origin}/bot${token}/${method}`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        headersTimeout: timeout,
        bodyTimeout: timeout,
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
      });
      status = reply.statusCode;
      text = await reply.body.text();
    } catch {
      throw new ChatError('down', `the chat service did not respond to ${method}`);
    }
    const parsed = answer.safeParse(parse(text));
    if (!parsed.success)
      throw new ChatError('down', `the chat service returned ${status} for ${method}, with an invalid body`);
    const { ok, result, description = '', parameters, error_code = status } = parsed.data;
    if (!ok) throw failure(method, error_code, description.replaceAll(token, '•••'), parameters?.retry_after);
    const checked = schema.safeParse(result);
    if (!checked.success)
      throw new ChatError('down', `the chat service returned an unexpected response for ${method}`);
    return checked.data;
  }

  return {
    async identify() {
      const { id, username, first_name } = await call('getMe', {}, identity);
      return { id: String(id), username, name: first_name };
    },
    async updates(from, seconds, signal) {
      const found = await call(
        'getUpdates',
        { offset: from, timeout: seconds, limit: 100, allowed_updates: ['message', 'channel_post'] },
        updates,
        { wait: seconds, signal },
      );
      return found.map(({ update_id, message: typed, channel_post }) =>
        toUpdate(update_id, typed ?? channel_post),
      );
    },
    async send(chat_ref, text) {
      const { message_id } = await call('sendMessage', { ...plain(text), chat_id: chat_ref }, sent);
      return String(message_id);
    },
    async edit(chat_ref, message_ref, text) {
      const body = { ...plain(text), chat_id: chat_ref, message_id: Number(message_ref) };
      await call('editMessageText', body, z.unknown()).catch((error: unknown) => {
        if (error instanceof ChatError && /message is not modified/i.test(error.message)) return;
        throw error;
      });
    },
  };
}

/** No parse_mode: names of hosts and teams are plain text, whatever they contain. */
const plain = (text: string) => ({
  text: [...text].slice(0, MAX_CHARACTERS).join(''),
  link_preview_options: { is_disabled: true },
});

function toUpdate(number: number, typed: z.infer<typeof message> | undefined): ChatUpdate {
  if (typed?.text === undefined) return { number, message: null };
  const { chat: where, from, text } = typed;
  const name = where.title ?? where.username ?? where.first_name ?? String(where.id);
  return {
    number,
    message: {
      chat_ref: String(where.id),
      title: cutWhole(name, 200),
      kind: ownValue(KINDS, where.type) ?? 'group',
      from: cutWhole(from?.username ?? from?.first_name ?? name, 64),
      text: cutWhole(text, MAX_CHARACTERS),
    },
  };
}

function failure(method: string, code: number, description: string, retryAfter = 5): ChatError {
  const said = cutWhole(`${method}: ${description || code}`, 300);
  if (code === 429) return new ChatError('busy', said, Math.min(Math.max(1, retryAfter), 3600));
  if (code === 401 || code === 404) return new ChatError('token', said);
  if (code === 403 || /chat not found|user is deactivated|group chat was upgraded/i.test(description))
    return new ChatError('chat', said);
  if (/message to edit not found|message can't be edited/i.test(description))
    return new ChatError('gone', said);
  return new ChatError('down', said);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
