import { createHash, timingSafeEqual } from 'node:crypto';
import { KeyUsage, type ToolCall } from './keyUsage';

/** The keys of a server: the owner's, in `MCP_KEY`, and further ones in `MCP_KEYS`. */

/** Name of the owner's key. */
export const OWNER = 'default';
const MAX_KEYS = 32;
const OWNER_KEY_MIN = 16;
const MINUTE_MS = 60_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Characters of a bearer token (RFC 6750 §2.1). */
const KEY = /^[A-Za-z0-9._~+/=-]{16,512}$/;

/**
 * Reads `MCP_KEY` and `MCP_KEYS`, a list of `name:key`. @returns the keys by name
 * @throws with what to change. Names entries by their position: any part of one may be a key.
 */
export function keysFrom(env: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> {
  const owner = env.MCP_KEY ?? '';
  if (owner.length < OWNER_KEY_MIN) throw new Error(`Set MCP_KEY to at least ${OWNER_KEY_MIN} characters.`);
  const keys = new Map([[OWNER, owner]]);
  const entries = (env.MCP_KEYS ?? '').split(/[\s,]+/).filter(Boolean);
  if (entries.length >= MAX_KEYS)
    throw new Error(`MCP_KEYS can have ${MAX_KEYS - 1} keys, and has ${entries.length}.`);
  for (const [index, entry] of entries.entries()) {
    const at = `Entry ${index + 1} of MCP_KEYS`;
    const colon = entry.indexOf(':');
    if (colon < 0) throw new Error(`${at} must be written as name:key.`);
    const name = entry.slice(0, colon);
    const key = entry.slice(colon + 1);
    if (!NAME.test(name))
      throw new Error(
        `${at} needs a name of 1 to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit.`,
      );
    if (!KEY.test(key))
      throw new Error(`${at} needs a key of 16 to 512 letters, digits and any of . _ ~ + / = -`);
    if (keys.has(name))
      throw new Error(
        `${at} ${name === OWNER ? 'can’t have the name of MCP_KEY' : 'has the name of an earlier one'}.`,
      );
    if ([...keys.values()].includes(key))
      throw new Error(`${at} has the key of an earlier one or of MCP_KEY.`);
    keys.set(name, key);
  }
  return keys;
}

/** Who has one of the keys: what it may send and what it has sent. */
export class KeyHolder {
  readonly digest: Buffer;
  readonly #usage = new KeyUsage();
  #minute = 0;
  #count = 0;

  constructor(
    readonly name: string,
    key: string,
    readonly requests_per_minute: number,
  ) {
    this.digest = sha256(key);
  }

  /** Counts a request. @returns seconds to wait, 0 if it is admitted */
  request(): number {
    const now = Math.floor(Date.now() / MINUTE_MS);
    if (now !== this.#minute) [this.#minute, this.#count] = [now, 0];
    const is_refused = ++this.#count > this.requests_per_minute;
    this.#usage.request(is_refused);
    return is_refused ? Math.max(1, Math.ceil(((now + 1) * MINUTE_MS - Date.now()) / 1000)) : 0;
  }

  /** Counts and logs a call of a tool, without its arguments and result. */
  call(call: ToolCall): void {
    const name = this.#usage.call(call);
    console.log(`${new Date().toISOString()} ${name} ${call.failed ? 'failed' : 'ok'} ${call.ms} ms`);
  }

  toJSON() {
    return { name: this.name, ...this.#usage.toJSON() };
  }
}

/** Compares with every key, so that the time it takes doesn't say which one was close. */
export function holderOf(holders: readonly KeyHolder[], sent: string): KeyHolder | undefined {
  const digest = sha256(sent);
  let found: KeyHolder | undefined;
  for (const holder of holders) if (timingSafeEqual(digest, holder.digest)) found = holder;
  return found;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
