import { connect, type Socket } from 'node:net';
import type { KeyHolder } from '../keys';
import { fieldsOf, isObject, type Fields } from '../messages';
import { CALL_MS } from './upstream';

const MAX_LINE = 16 * 1024 * 1024;

interface Waiting {
  resolve: (reply: Fields) => void;
  reject: (error: Error) => void;
}

/** A connection to a server that reads lines. Each has a process of its own. */
export class Connection {
  readonly #socket: Socket;
  readonly #onMessage: (message: Fields) => void;
  /** By the request's ID. */
  readonly #waiting = new Map<unknown, Waiting>();
  #text = '';
  /** Why it ended. */
  #cause = new Error('closed');
  #isClosed = false;

  /** @param onMessage receives what isn't a reply */
  constructor(upstream: URL, onMessage: (message: Fields) => void, onClose: () => void) {
    this.#onMessage = onMessage;
    this.#socket = connect(Number(upstream.port), upstream.hostname).setNoDelay().setEncoding('utf8');
    this.#socket.on('data', (part) => this.#take(String(part)));
    this.#socket.on('error', (error) => (this.#cause = error));
    this.#socket.on('close', () => {
      this.#isClosed = true;
      for (const { reject } of this.#waiting.values()) reject(this.#cause);
      this.#waiting.clear();
      onClose();
    });
  }

  #take(part: string): void {
    this.#text += part;
    if (part.includes('\n')) {
      const lines = this.#text.split('\n');
      this.#text = lines.pop() ?? '';
      for (const line of lines) this.#read(line);
    }
    if (this.#text.length > MAX_LINE) this.#socket.destroy();
  }

  #read(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (!isObject(message)) return;
    if (message.method !== undefined) this.#onMessage(message);
    else this.#waiting.get(message.id)?.resolve(message);
  }

  tell(message: Fields): void {
    if (!this.#isClosed) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** @returns the reply to the message's ID */
  ask(message: Fields): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(this.#cause);
      const { id } = message;
      const timer = setTimeout(() => this.#waiting.get(id)?.reject(new Error('timeout')), CALL_MS);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          this.#waiting.delete(id);
          settle(value);
        };
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.tell(message);
    });
  }

  isWaiting(id: unknown): boolean {
    return this.#waiting.has(id);
  }

  forget(id: unknown): void {
    this.#waiting.get(id)?.reject(new Error('cancelled'));
  }

  close(): void {
    this.#socket.destroy();
  }
}

export const isRequest = ({ method, id }: Fields) => typeof method === 'string' && id !== undefined;

/** Asks for a client, and counts the call of a tool. */
export async function askFor(holder: KeyHolder, server: Connection, message: Fields): Promise<Fields> {
  const began = Date.now();
  const count = (failed: boolean) => {
    const tool = fieldsOf(message.params).name;
    if (message.method === 'tools/call') holder.call({ tool, ms: Date.now() - began, failed });
  };
  try {
    const reply = await server.ask(message);
    count(reply.error !== undefined || fieldsOf(reply.result).isError === true);
    return reply;
  } catch (error) {
    count(true);
    throw error;
  }
}
