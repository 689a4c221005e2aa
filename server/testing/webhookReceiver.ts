import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Handles a request once its body is read; 204 unless set. */
  answer: (request: Received, res: ServerResponse) => void;
  close(): Promise<void>;
}

/** A customer's webhook receiver, on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const state: Pick<Receiver, 'received' | 'answer'> = {
    received: [],
    answer: (_request, res) => void res.writeHead(204).end(),
  };
  const listener: RequestListener = (req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const one: Received = {
        path: req.url ?? '',
        headers: req.headers,
        body: Buffer.concat(parts).toString('utf8'),
        at: Date.now(),
      };
      state.received.push(one);
      state.answer(one, res);
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
