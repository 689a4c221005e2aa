import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ModelCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Whether the gateway closed the connection before the answer was complete. */
  isCut: boolean;
}

export type Script = (res: ServerResponse, call: ModelCall) => void | Promise<void>;

export interface ModelServer {
  /** Base URL of its API. */
  url: string;
  calls: ModelCall[];
  /** Script for the next requests. */
  script: Script;
  stop(): Promise<void>;
}

/** A model server with scripted answers. GET /models always works. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const server = createServer((req, res) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      const path = req.url ?? '';
      if (path.endsWith('/models')) return void res.end('{"object":"list","data":[]}');
      const call = { path, headers: req.headers, body: Buffer.concat(parts).toString(), isCut: false };
      res.once('close', () => (call.isCut = !res.writableFinished));
      self.calls.push(call);
      await self.script(res, call);
    })().catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: [],
    script,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

const usage = {
  prompt_tokens: 1000,
  completion_tokens: 200,
  total_tokens: 1200,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens_details: { reasoning_tokens: 50 },
};

/** An answer with unusual whitespace and extra members, which must arrive unchanged. */
export const WHOLE = `{ "id":"chatcmpl-upstream",\n "object":"chat.completion", "x_own": 1e3,
  "choices":[{"index":0,"message":{"role":"assistant","content":"Grüße"},"finish_reason":"stop"}],
  "usage":${JSON.stringify(usage)} }`;

export const whole: Script = (res) => void res.setHeader('content-type', 'application/json').end(WHOLE);

export const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-stream', choices: [{ index: 0, delta: { content } }] })}\r\n\r\n`;

/** Events of a stream, ending with usage. */
export const EVENTS = [
  ': hello\r\n\r\n',
  chunk('Grü'),
  chunk('ße 👋'),
  `data: ${JSON.stringify({ id: 'chatcmpl-stream', choices: [], usage })}\r\n\r\n`,
  'data: [DONE]\r\n\r\n',
];

/** Sends a stream byte by byte, which splits characters and line endings. */
export const streamed: Script = async (res) => {
  res.setHeader('content-type', 'text/event-stream');
  for (const byte of Buffer.from(EVENTS.join('')))
    await new Promise<void>((resolve) => res.write(Buffer.of(byte), () => resolve()));
  res.end();
};
