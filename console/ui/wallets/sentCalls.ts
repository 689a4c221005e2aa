import { readStored, writeStored } from '../stored';
import { isPreview } from './discovery';

/** A change of a contract, by any account. */
export interface CallId {
  chain_id: number;
  contract: string;
  data: string;
}

/** A transaction that was sent and isn't known to be over. */
interface SentCall extends CallId {
  /** The account that sent it. */
  account: string;
  hash: string;
}

export const SENT_CALLS = 'sent-calls';
/** The oldest are forgotten. */
const MAX_KEPT = 20;

const isText = (value: unknown): value is string => typeof value === 'string';

function isSentCall(value: unknown): value is SentCall {
  if (typeof value !== 'object' || value === null) return false;
  const { chain_id, contract, data, account, hash } = value as Partial<Record<keyof SentCall, unknown>>;
  return (
    typeof chain_id === 'number' &&
    [contract, data, account].every(isText) &&
    isText(hash) &&
    /^0x[0-9a-f]{64}$/i.test(hash)
  );
}

function readAll(stored: string): SentCall[] {
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.filter(isSentCall) : [];
  } catch {
    return [];
  }
}

const same = (one: CallId, other: CallId) =>
  one.chain_id === other.chain_id &&
  one.contract.toLowerCase() === other.contract.toLowerCase() &&
  one.data.toLowerCase() === other.data.toLowerCase();

/**
 * Returns the hash of the transaction that this browser sent last for a call, so that leaving the page costs no second one;
 * null if there is none. Nothing rests on it: whether it is on the chain is asked there.
 */
export const sentCall = (id: CallId, stored = readStored(SENT_CALLS, '[]')): string | null =>
  readAll(stored).findLast((one) => same(one, id))?.hash ?? null;

const write = (calls: readonly SentCall[]) => writeStored(SENT_CALLS, JSON.stringify(calls.slice(-MAX_KEPT)));

/** Keeps a transaction; another one of the same account takes its place, as when it is sped up. */
export function saveSentCall(id: CallId, account: string, hash: string): void {
  // Sends nothing.
  if (isPreview()) return;
  const others = readAll(readStored(SENT_CALLS, '[]')).filter(
    (one) => !(same(one, id) && one.account.toLowerCase() === account.toLowerCase()),
  );
  write([...others, { ...id, account, hash }]);
}

/** Forgets what was sent for a call: it is on the chain, has failed, or its user sends another. */
export function forgetSentCall(id: CallId): void {
  const all = readAll(readStored(SENT_CALLS, '[]'));
  const others = all.filter((one) => !same(one, id));
  if (others.length < all.length) write(others);
}

type Tab = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** Calls back with what another tab sent for the same call; with null once that is over. Returns how to stop. */
export function onSentElsewhere(id: CallId, onOther: (hash: string | null) => void, tab: Tab): () => void {
  let last = sentCall(id);
  // Browsers send it to the other tabs only.
  const read = () => {
    const now = sentCall(id);
    if (now === last) return;
    last = now;
    onOther(now);
  };
  tab.addEventListener('storage', read);
  return () => tab.removeEventListener('storage', read);
}
