import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A model server for the benchmark: it answers immediately, or streams one token per `TOKEN_MS` up to
 * `max_tokens`.
 */
const TOKEN_MS = 200;

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const WHOLE = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage,
});
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const TOKEN = event({ id: 'chatcmpl-bench', choices: [{ index: 0, delta: { content: 'Hello ' } }] });
const END = `${event({ id: 'chatcmpl-bench', choices: [], usage })}data: [DONE]\n\n`;

process.on('message', ({ port }: { port: number }) => {
  createServer((req, res) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      if (req.method === 'GET') return void res.end('{"object":"list","data":[]}');
      const { stream = false, max_tokens = 1 } = JSON.parse(Buffer.concat(parts).toString()) as {
        stream?: boolean;
        max_tokens?: number;
      };
      if (!stream) return void res.setHeader('Content-Type', 'application/json').end(WHOLE);
      res.setHeader('Content-Type', 'text/event-stream');
      for (let n = 0; n < max_tokens && !res.destroyed; n++) {
        if (n > 0) await wait(TOKEN_MS);
        res.write(TOKEN);
      }
      res.end(END);
    })().catch(() => res.destroy());
  }).listen(port, '127.0.0.1');
});
