import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { DnsType } from '../../domain/network/dnsRecords';
import { decodeMessage, encodeQuery, MalformedDns, TYPE_NUMBER, type DnsMessage } from './message';

export interface DnsServer {
  host: string;
  port: number;
}

/** `ip`, `ip:port` or `[ip6]:port`, as in DNS_SERVERS and the system's list. */
export function parseServer(text: string): DnsServer {
  const [, bracketed, port] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? [];
  if (bracketed !== undefined) return { host: bracketed, port: Number(port ?? 53) };
  if (isIPv6(text)) return { host: text, port: 53 };
  const [host = '', given] = text.split(':');
  return { host, port: Number(given ?? 53) };
}

export interface Question {
  name: string;
  type: DnsType;
  timeout_ms: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends one question to one server, over UDP and, if the reply doesn't fit, over TCP. Null if no reply came in time.
 */
export async function exchange(server: DnsServer, question: Question): Promise<DnsMessage | null> {
  const answer = await overUdp(server, question);
  return answer?.truncated ? overTcp(server, question) : answer;
}

function overUdp({ host, port }: DnsServer, question: Question): Promise<DnsMessage | null> {
  const id = randomInt(65_536);
  const packet = encodeQuery(id, question.name, question.type);
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const limit = limited(question, () => end(null));
    const end = (answer: DnsMessage | null) => {
      limit.clear();
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    socket.on('error', () => end(null));
    socket.on('message', (bytes) => {
      const answer = readable(bytes);
      // A reply to a different question is stray or forged: the right one may still come.
      if (answer && answers(answer, id, question)) end(answer);
    });
    socket.on('connect', () => socket.send(packet));
    // A connected socket accepts packets from that server only.
    socket.connect(port, host);
  });
}

function overTcp({ host, port }: DnsServer, question: Question): Promise<DnsMessage | null> {
  const id = randomInt(65_536);
  const packet = encodeQuery(id, question.name, question.type);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const limit = limited(question, () => end(null));
    let read = Buffer.alloc(0);
    const end = (answer: DnsMessage | null) => {
      limit.clear();
      socket.destroy();
      resolve(answer);
    };
    socket.on('error', () => end(null));
    socket.on('close', () => end(null));
    socket.on('connect', () => socket.write(Buffer.concat([length, packet])));
    socket.on('data', (part) => {
      read = Buffer.concat([read, part]);
      if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return;
      const answer = readable(read.subarray(2, 2 + read.readUInt16BE(0)));
      end(answer && answers(answer, id, question) ? answer : null);
    });
  });
}

function limited({ timeout_ms, signal }: Question, stop: () => void) {
  const timer = setTimeout(stop, timeout_ms);
  signal?.addEventListener('abort', stop, { once: true });
  return {
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

function readable(bytes: Buffer): DnsMessage | null {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof MalformedDns || error instanceof RangeError) return null;
    throw error;
  }
}

const answers = ({ id, question }: DnsMessage, asked: number, { name, type }: Question): boolean =>
  id === asked && question?.name === name.toLowerCase() && question.type === TYPE_NUMBER[type];
