import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';

const listen = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

export interface CuttableSocket {
  url: string;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Ends every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** Forwards connections to a server until they are cut. @param to its URL */
export async function startCuttableSocket(to: string): Promise<CuttableSocket> {
  const open = new Set<Socket>();
  let accepted = 0;
  const server = createTcpServer((client) => {
    accepted += 1;
    const upstream = connect(Number(new URL(to).port), '127.0.0.1');
    for (const [from, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.pipe(other);
      from.on('error', () => other.destroy());
      from.on('close', () => {
        open.delete(from);
        other.destroy();
      });
    }
  });
  const port = await listen(server);
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    // A development chain serves only this path.
    url: `ws://127.0.0.1:${port}/?key-9f3a`,
    get accepted() {
      return accepted;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ScriptedSocket {
  url: string;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Open connections. */
  readonly open: number;
  close(): Promise<void>;
}

type Send = (message: object | string) => void;

/** A WebSocket server with scripted answers, true or not. Reads messages of up to 64 KB, in one frame each. */
export async function startScriptedSocket(
  answer: (request: { id: number; method: string }, send: Send) => void,
): Promise<ScriptedSocket> {
  const open = new Set<Socket>();
  let accepted = 0;
  const server = createServer();
  server.on('upgrade', (request, duplex) => {
    const socket = duplex as Socket;
    accepted += 1;
    open.add(socket);
    socket
      .on('close', () => open.delete(socket))
      .on('end', () => socket.end())
      .on('error', () => undefined);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}\r\n\r\n`,
    );
    const send: Send = (message) => {
      if (socket.writable)
        socket.write(frameOf(typeof message === 'string' ? message : JSON.stringify(message)));
    };
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let frame = frameIn(rest); frame; frame = frameIn(rest)) {
        rest = rest.subarray(frame.length);
        if (frame.text !== null) answer(JSON.parse(frame.text) as { id: number; method: string }, send);
      }
    });
  });
  const port = await listen(server);
  return {
    url: `ws://127.0.0.1:${port}/key-9f3a`,
    get accepted() {
      return accepted;
    },
    get open() {
      return open.size;
    },
    async close() {
      open.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** RFC 6455, section 5.2. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  head[1] = body.length < 126 ? body.length : body.length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(body.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

/** Null until a whole frame has arrived. `text` is null for control frames. */
function frameIn(data: Buffer): { length: number; text: string | null } | null {
  if (data.length < 2) return null;
  const short = data.readUInt8(1) & 0x7f;
  const start = short === 126 ? 4 : 2;
  if (data.length < start) return null;
  const size = short === 126 ? data.readUInt16BE(2) : short;
  const length = start + 4 + size;
  if (data.length < length) return null;
  const mask = data.subarray(start, start + 4);
  const body = Buffer.from(data.subarray(start + 4, length).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
  return { length, text: (data.readUInt8(0) & 0x0f) === 1 ? body.toString() : null };
}
