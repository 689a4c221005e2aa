import { readStored, storedList } from '../stored';
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

const calls = storedList(SENT_CALLS, isSentCall, MAX_KEPT);

const same = (one: CallId, other: CallId) =>
  one.chain_id === other.chain_id &&
  one.contract.toLowerCase() === other.contract.toLowerCase() &&
  one.data.toLowerCase() === other.data.toLowerCase();

/**
 * Returns the hash of the transaction that this browser sent last for a call, so that leaving the page costs no second one;
 * null if there is none. Nothing rests on it: whether it is on the chain is asked there.
 * @param stored what `useStored` holds
 */
export const sentCall = (id: CallId, stored = readStored(SENT_CALLS, '[]')): string | null =>
  calls.parse(stored).find((one) => same(one, id))?.hash ?? null;

/** Keeps a transaction; another one of the same account takes its place, as when it is sped up. */
export function saveSentCall(id: CallId, account: string, hash: string): void {
  // Sends nothing.
  if (isPreview()) return;
  calls.put(
    { ...id, account, hash },
    (one) => same(one, id) && one.account.toLowerCase() === account.toLowerCase(),
  );
}

/** Forgets what was sent for a call: it is on the chain, has failed, or its user sends another. */
export const forgetSentCall = (id: CallId): void => calls.remove((one) => same(one, id));

/** How far a call is on a page. */
interface SentState {
  /** Transaction of an earlier visit or another tab that the page started with. */
  before: string | null;
  /**
   * unsent: nothing is on its way. asked: a wallet is asked. sent: the page's own is on its way. before: one that is offered
   * to be waited for. followed: it is waited for.
   */
  is: 'unsent' | 'asked' | 'sent' | 'before' | 'followed' | 'done';
}

/** Returns the state in which a page starts. */
export const startWith = (before: string | null): SentState => ({
  before,
  is: before === null ? 'unsent' : 'before',
});

/** Returns the state after a wallet is asked, or nothing is on its way anymore. */
export function afterBusy(state: SentState, isBusy: boolean): SentState {
  if (!isBusy) return { ...state, is: 'unsent' };
  if (state.is === 'unsent') return { ...state, is: 'asked' };
  return state.is === 'before' ? { ...state, is: 'followed' } : state;
}

/**
 * Whether a page starts over with what is stored now, as another tab changed it. What the page's own wallet does continues.
 */
export const startsOver = ({ is, before }: SentState, stored: string | null): boolean =>
  (is === 'unsent' && stored !== null) || (is === 'before' && stored !== before);
