import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type SecureVersion } from 'node:tls';
import type { TestCertificate } from './certificate';

/** A syslog message, parsed per RFC 5424. */
export interface ReceivedMessage {
  priority: number;
  at: string;
  host: string;
  app: string;
  id: string;
  structure: string;
  params: Record<string, string>;
  message: string;
  /** As received, without its length. */
  raw: string;
}

export interface SyslogReceiver {
  port: number;
  received: ReceivedMessage[];
  /** Connections that were accepted and spoke the protocol. */
  connections: number;
  /** What to do with a connection instead of reading it. */
  instead: ((socket: Socket) => void) | null;
  close(): Promise<void>;
}

/**
 * A syslog server on this machine, with TLS if it has a certificate. `clients`: PEM of the only client certificate it
 * accepts. Like real servers, it keeps everything it has read.
 */
export async function startSyslog(
  tls?: TestCertificate & { clients?: string; minVersion?: SecureVersion },
  port = 0,
): Promise<SyslogReceiver> {
  const state: Pick<SyslogReceiver, 'received' | 'connections' | 'instead'> = {
    received: [],
    connections: 0,
    instead: null,
  };
  const open = new Set<Socket>();
  const serve = (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    state.connections += 1;
    if (state.instead) return state.instead(socket);
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (more: Buffer) => {
      const { messages, rest } = framesIn(Buffer.concat([bytes, more]));
      bytes = rest;
      state.received.push(...messages.map((message) => parseMessage(message)));
    });
  };
  const server = tls
    ? createTlsServer(
        {
          key: tls.key,
          cert: tls.cert,
          ...(tls.minVersion === undefined ? {} : { minVersion: tls.minVersion }),
          ...(tls.clients === undefined ? {} : { ca: tls.clients, requestCert: true }),
        },
        serve,
      )
    : createServer(serve);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Splits by octet counting (RFC 6587 §3.4.1). @throws for malformed frames */
export function framesIn(bytes: Buffer): { messages: string[]; rest: Buffer } {
  const messages: string[] = [];
  for (let at = 0; ;) {
    const space = bytes.indexOf(' ', at);
    const digits = bytes.toString('latin1', at, space === -1 ? bytes.length : space);
    if (!/^([1-9]\d{0,5})?$/.test(digits)) throw new Error(`no frame begins with ${JSON.stringify(digits)}`);
    const end = space + 1 + Number(digits);
    if (space === -1 || bytes.length < end) return { messages, rest: bytes.subarray(at) };
    messages.push(bytes.toString('utf8', space + 1, end));
    at = end;
  }
}

const HEADER = /^<(\d{1,3})>1 (\S+) (\S+) (\S+) (\S+) (\S+) \[([^\s="\]]+)/;

/** Parses a message strictly per the RFC. @throws for violations */
export function parseMessage(raw: string): ReceivedMessage {
  const header = HEADER.exec(raw);
  if (!header) throw new Error(`no syslog message: ${raw.slice(0, 200)}`);
  const [whole, priority, at = '', host = '', app = '', , id = '', structure = ''] = header;
  const params: Record<string, string> = {};
  let place = whole.length;
  for (;;) {
    const param = /^ ([^\s="\]]{1,32})="((?:[^"\\\]]|\\["\\\]])*)"/.exec(raw.slice(place));
    if (!param) break;
    const [text, key = '', value = ''] = param;
    if (Object.hasOwn(params, key)) throw new Error(`${key} occurs twice`);
    params[key] = value.replace(/\\(["\\\]])/g, '$1');
    place += text.length;
  }
  if (raw.slice(place, place + 2) !== '] ')
    throw new Error(`structured data ends at ${raw.slice(place, place + 50)}`);
  return {
    priority: Number(priority),
    at,
    host,
    app,
    id,
    structure,
    params,
    message: raw.slice(place + 2),
    raw,
  };
}
