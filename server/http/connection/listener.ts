import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { answerClientError, MAX_HEADER_BYTES } from './clientError';

/** How often a drain closes connections that became idle. */
const CLOSE_IDLE_MS = 100;

interface Listener {
  readonly http: Server;
  readonly port: number;
  /** URL at which this machine reaches it. */
  readonly localUrl: string;
  /** Aborted when it drains. */
  readonly draining: AbortSignal;
  /** Hands requests to the app. Earlier ones get 503 with Retry-After. */
  serve(app: RequestListener): void;
  /** Accepts no more connections. Resolves when running requests have ended, which are cut after these seconds. */
  drain(seconds: number): Promise<void>;
}

/** Listens. With port 0, the system chooses a free one. @throws if the port is taken */
export async function startListener(port: number, host: string, log: Logger): Promise<Listener> {
  let answer: RequestListener = (_req, res) => {
    res
      .writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1', Connection: 'close' })
      .end('starting\n');
  };
  const draining = new AbortController();
  const http = createServer(
    // Clients may send a body slowly, but not headers. Proxies keep idle connections for a minute: closing them
    // earlier would race with their next request.
    {
      headersTimeout: 20_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (req, res) => {
      // Busy connections close after their current request.
      if (draining.signal.aborted) res.setHeader('Connection', 'close');
      answer(req, res);
    },
  );
  // By default Node ignores headers after the 2,000th, X-Phala-Version among them. Their size is limited above.
  http.maxHeadersCount = 0;
  http.on('clientError', answerClientError(log));
  await listen(http, port, host);
  const address = http.address() as AddressInfo;
  return {
    http,
    port: address.port,
    localUrl: `http://${localHost(address)}:${address.port}`,
    draining: draining.signal,
    serve(app) {
      answer = app;
    },
    async drain(seconds) {
      draining.abort();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // Repeats, because each connection becomes idle when its last request or stream ends.
      const idle = setInterval(() => http.closeIdleConnections(), CLOSE_IDLE_MS);
      const cut = setTimeout(() => http.closeAllConnections(), seconds * 1000);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

function listen(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.removeListener('error', reject);
      resolve();
    });
  });
}

function localHost({ address }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}
