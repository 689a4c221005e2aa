import { readStored, storedList } from '../stored';
import { isPreview } from './discovery';

/** A contract change, by any account. */
export interface CallId {
  chain_id: number;
  contract: string;
  data: string;
}

/** A sent transaction that isn't known to be over. */
interface SentCall extends CallId {
  /** The sending account. */
  account: string;
  hash: string;
}

export const SENT_CALLS = 'sent-calls';
/** Older entries are dropped. */
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

const calls = storedList(SENT_CALLS, isSentCall, MAX_KEPT);

const same = (one: CallId, other: CallId) =>
  one.chain_id === other.chain_id &&
  one.contract.toLowerCase() === other.contract.toLowerCase() &&
  one.data.toLowerCase() === other.data.toLowerCase();

/**
 * Returns the hash of the last transaction this browser sent for a call, so that leaving the page doesn't lead to a
 * second one; null if there is none. Only a hint: the chain is asked whether it was mined.
 * @param stored the value of `useStored`
 */
export const sentCall = (id: CallId, stored = readStored(SENT_CALLS, '[]')): string | null =>
  calls.parse(stored).find((one) => same(one, id))?.hash ?? null;

/** Stores a transaction; another one from the same account replaces it, as when it is sped up. */
export function saveSentCall(id: CallId, account: string, hash: string): void {
  // A preview sends nothing.
  if (isPreview()) return;
  calls.put(
    { ...id, account, hash },
    (one) => same(one, id) && one.account.toLowerCase() === account.toLowerCase(),
  );
}

/** Forgets a call's transaction: it is on the chain, has failed, or its user is sending another. */
export const forgetSentCall = (id: CallId): void => calls.remove((one) => same(one, id));

/** A call's progress on a page. */
interface SentState {
  /** The earlier visit's or another tab's transaction that the page started with. */
  before: string | null;
  /**
   * unsent: nothing is in flight. asked: a wallet is asked. sent: the page's own is in flight. before: an earlier
   * one can be awaited. followed: it is being awaited.
   */
  is: 'unsent' | 'asked' | 'sent' | 'before' | 'followed' | 'done';
}

/** Returns the initial state of a page. */
export const startWith = (before: string | null): SentState => ({
  before,
  is: before === null ? 'unsent' : 'before',
});

/** Returns the state after a wallet is asked, or nothing is in flight anymore. */
export function afterBusy(state: SentState, isBusy: boolean): SentState {
  if (!isBusy) return { ...state, is: 'unsent' };
  if (state.is === 'unsent') return { ...state, is: 'asked' };
  return state.is === 'before' ? { ...state, is: 'followed' } : state;
}

/**
 * Whether a page resets because another tab changed the stored transaction. The page's own transaction isn't
 * interrupted.
 */
export const startsOver = ({ is, before }: SentState, stored: string | null): boolean =>
  (is === 'unsent' && stored !== null) || (is === 'before' && stored !== before);
