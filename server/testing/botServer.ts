import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

interface BotMessage {
  id: number;
  chat_id: string;
  text: string;
  /** Messages the bot sent, oldest first. */
  edits: string[];
}

export interface BotServer {
  url: string;
  token: string;
  messages: BotMessage[];
  /** Requested paths, in order. */
  calls: string[];
  /** Simulates a message typed to the bot. */
  type(text: string, chat?: { id?: number; type?: 'private' | 'group'; title?: string }): void;
  /** Makes the next sendMessage return an error. */
  refuse(error: { error_code: number; description: string; retry_after?: number }): void;
  close(): Promise<void>;
}

/**
 * Starts a local server with the part of Telegram's Bot API that the bot uses.
 * @param given.reply_ms delay between accepting a message and confirming it
 */
export async function startBotServer({
  port = 0,
  reply_ms = 0,
}: { port?: number; reply_ms?: number } = {}): Promise<BotServer> {
  const token = '4242:test-bot-token-AAEjXk2';
  const messages: BotMessage[] = [];
  const calls: string[] = [];
  const refusals: { error_code: number; description: string; retry_after?: number }[] = [];
  let pending: { update_id: number; message: object }[] = [];
  let nextUpdate = 100;
  const waiting = new Set<() => void>();

  const reply = (res: ServerResponse, status: number, body: object) =>
    void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const good = (res: ServerResponse, result: unknown) => reply(res, 200, { ok: true, result });
  const bad = (res: ServerResponse, error_code: number, description: string, retry_after?: number) =>
    reply(res, error_code, {
      ok: false,
      error_code,
      description,
      ...(retry_after === undefined ? {} : { parameters: { retry_after } }),
    });

  async function getUpdates(res: ServerResponse, offset: number, seconds: number) {
    // As in the real API, a request from a number confirms all updates below it.
    pending = pending.filter(({ update_id }) => update_id >= offset);
    if (pending.length === 0)
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, seconds * 1000);
        waiting.add(done);
        res.on('close', done);
      });
    good(res, pending);
  }

  async function answer(req: IncomingMessage, res: ServerResponse) {
    let body = '';
    for await (const part of req) body += String(part);
    const [, key, method = ''] = (req.url ?? '').split('/');
    calls.push(method);
    const sent = (body ? JSON.parse(body) : {}) as Record<string, unknown>;
    if (key !== `bot${token}`) return bad(res, 401, 'Unauthorized');
    if (method === 'getMe')
      return good(res, { id: 4242, is_bot: true, first_name: 'Tea', username: 'tea_bot' });
    if (method === 'getUpdates') return getUpdates(res, Number(sent.offset), Number(sent.timeout));
    if (method === 'sendMessage') {
      const refusal = refusals.shift();
      if (refusal) return bad(res, refusal.error_code, refusal.description, refusal.retry_after);
      const one = {
        id: messages.length + 1,
        chat_id: String(sent.chat_id),
        text: String(sent.text),
        edits: [],
      };
      messages.push(one);
      if (reply_ms > 0) await wait(reply_ms);
      return good(res, { message_id: one.id, date: 0, chat: { id: Number(sent.chat_id), type: 'private' } });
    }
    if (method === 'editMessageText') {
      const one = messages.find(({ id }) => id === sent.message_id);
      if (!one) return bad(res, 400, 'Bad Request: message to edit not found');
      if (one.text === sent.text) return bad(res, 400, 'Bad Request: message is not modified');
      one.edits.push(one.text);
      one.text = String(sent.text);
      return good(res, { message_id: one.id });
    }
    bad(res, 404, 'Not Found');
  }

  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    messages,
    calls,
    type(text, { id = 7, type = 'private', title } = {}) {
      pending.push({
        update_id: nextUpdate++,
        message: {
          message_id: nextUpdate,
          chat: { id, type, ...(title === undefined ? { first_name: 'Ada' } : { title }) },
          from: { id: 7, first_name: 'Ada', username: 'ada' },
          text,
        },
      });
      for (const wake of waiting) wake();
    },
    refuse: (error) => void refusals.push(error),
    async close() {
      for (const wake of waiting) wake();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
