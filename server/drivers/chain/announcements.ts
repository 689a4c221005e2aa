import type { Socket } from 'node:net';
import { Agent, buildConnector, WebSocket } from 'undici';
import { z } from 'zod';
import type { ChainDefinition } from '../../../console/lib/kms/chains';
import { chainText } from './chainText';
import { EVENT_TOPICS } from './events';
import { ChainError, type ChainDriver, type EventAnnouncement } from './index';
import { hostOf } from './reader';

const ANSWER_MS = 10_000;
/** Ping interval. A missing reply reveals a connection that was lost without notice. */
const PING_MS = 30_000;
/** Bytes. Most events have less than 2,000, but a hostile contract must not end the connection with a long one. */
const MAX_MESSAGE = 1024 * 1024;
/** Messages, and their total characters, per `RATE_MS`. */
const MAX_MESSAGES = 1_000;
const MAX_HEARD = 8 * MAX_MESSAGE;
const RATE_MS = 10_000;

const hex = (digits: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`));
const ANNOUNCED = z.object({
  method: z.literal('eth_subscription'),
  params: z.object({
    result: z.object({
      address: hex(40),
      blockNumber: z.string().regex(/^0x[0-9a-fA-F]{1,13}$/),
      blockHash: hex(64),
      removed: z.boolean().optional(),
    }),
  }),
});
const REPLY = z.union([
  z.object({ id: z.number(), result: z.string() }),
  z.object({ id: z.number(), error: z.object({ message: z.string() }) }),
]);
const MESSAGE = z.union([ANNOUNCED, REPLY]);

/** Request IDs on one connection. */
const CHAIN_ID = 1;
const SUBSCRIBE = 2;
const PING = 3;

/**
 * Waits for events through each chain's WebSocket URLs; after a failure, through the next one.
 * @param chains their URLs may contain access keys, so they never appear in messages
 */
export function createAnnouncements(
  chains: readonly ChainDefinition[],
): Pick<ChainDriver, 'announcesEvents' | 'watchEvents'> {
  /** The next URL of each chain. */
  const turns = new Map<number, number>();
  const urlsOf = (chain_id: number) =>
    chains.find(({ id }) => id === chain_id)?.rpcUrls.default.webSocket ?? [];
  return {
    announcesEvents: (chain_id) => urlsOf(chain_id).length > 0,
    async watchEvents({ chain_id, addresses }, listener, signal) {
      const urls = urlsOf(chain_id);
      const turn = turns.get(chain_id) ?? 0;
      const url = urls[turn % urls.length];
      if (url === undefined)
        throw new ChainError('unreachable', `This server has no WebSocket configured for chain ${chain_id}.`);
      try {
        await watch({ chain_id, url, addresses }, listener, signal);
      } catch (error) {
        turns.set(chain_id, turn + 1);
        throw error;
      }
    },
  };
}

/**
 * Resolves when the signal aborts, and rejects when the connection ends or turns out useless. Closes it in
 * either case.
 */
function watch(
  { chain_id, url, addresses }: { chain_id: number; url: string; addresses: readonly string[] },
  { opened, announced }: Parameters<ChainDriver['watchEvents']>[1],
  signal: AbortSignal,
): Promise<void> {
  const known = new Set(addresses);
  const said = `The WebSocket for chain ${chain_id} (${hostOf(url)})`;
  const connections = new Set<Socket>();
  const connect = buildConnector({ timeout: ANSWER_MS });
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: MAX_MESSAGE },
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        connections.add(socket);
        callback(null, socket);
      }),
  });
  return new Promise<void>((resolve, reject) => {
    let socket: WebSocket | null = null;
    let timer: NodeJS.Timeout | undefined;
    let ended = false;
    let [count, heard, since] = [0, 0, Date.now()];

    function end(error?: ChainError): void {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      // A peer that doesn't close its side would keep a gracefully closed connection open.
      for (const connection of connections) connection.destroy();
      void dispatcher.destroy().catch(() => undefined);
      if (error) reject(error);
      else resolve();
    }
    const stop = () => end();
    const fail = (kind: ChainError['kind'], message: string) =>
      end(new ChainError(kind, `${said} ${message}`));
    const expectAnswer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => fail('unreachable', "isn't responding."), ANSWER_MS);
    };
    const ask = (id: number, method: string, params: readonly unknown[] = []) => {
      expectAnswer();
      socket?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    };
    const pingLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => ask(PING, 'eth_blockNumber'), PING_MS);
    };

    function answer({ id, result }: { id: number; result: string }): void {
      if (id === CHAIN_ID) {
        if (Number(result) !== chain_id)
          return fail(
            'wrong_chain',
            `serves chain ${chainText(String(Number(result)), 20)}, not ${chain_id}.`,
          );
        return ask(SUBSCRIBE, 'eth_subscribe', ['logs', { address: addresses, topics: [EVENT_TOPICS] }]);
      }
      pingLater();
      if (id === SUBSCRIBE) opened();
    }

    function hear(data: unknown): void {
      if (ended) return;
      if (Date.now() - since > RATE_MS) [count, heard, since] = [0, 0, Date.now()];
      count += 1;
      heard += String(data).length;
      if (count > MAX_MESSAGES || heard > MAX_HEARD)
        return fail('too_much', 'sent more messages than can be read.');
      const message = messageIn(data);
      if (!message) return fail('bad_reply', 'sent an invalid message.');
      if ('error' in message)
        return fail('bad_reply', `refused the request: ${chainText(message.error.message, 200)}`);
      if ('result' in message) return answer(message);
      const announcement = announcementIn(message);
      if (!known.has(announcement.address))
        return fail('bad_reply', "announced events from contracts that weren't subscribed to.");
      announced(announcement);
    }

    if (signal.aborted) return end();
    signal.addEventListener('abort', stop);
    expectAnswer();
    try {
      socket = new WebSocket(url, { dispatcher });
    } catch {
      return fail('unreachable', "can't be opened.");
    }
    socket.addEventListener('open', () => ask(CHAIN_ID, 'eth_chainId'));
    socket.addEventListener('message', ({ data }) => hear(data));
    socket.addEventListener('error', () => fail('unreachable', 'refused or dropped the connection.'));
    socket.addEventListener('close', () => fail('unreachable', 'closed the connection.'));
  });
}

function messageIn(data: unknown): z.infer<typeof MESSAGE> | null {
  if (typeof data !== 'string') return null;
  try {
    return MESSAGE.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}

const announcementIn = ({ params: { result } }: z.infer<typeof ANNOUNCED>): EventAnnouncement => ({
  address: result.address.toLowerCase(),
  block_number: Number(result.blockNumber),
  block_hash: result.blockHash.toLowerCase(),
  removed: result.removed === true,
});
