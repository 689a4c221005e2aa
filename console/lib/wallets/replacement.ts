import type { WalletProvider } from './provider';
import { WalletError } from './walletError';

/** A transaction's effect, regardless of its fee. */
export interface Effect {
  to: string;
  data: string;
  value: bigint;
}

/** A transaction as returned by a wallet's network. */
export interface Sent {
  hash: unknown;
  from: unknown;
  to: unknown;
  nonce: unknown;
  input: unknown;
  data: unknown;
  value: unknown;
}

/** Blocks before the first lookup that may already contain a replacement. */
const MARGIN = 20n;

export const quantity = (value: unknown): bigint | null =>
  typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : null;

/** Requests an object from a wallet; null if it has none. */
export const request = async <T extends object>(
  provider: WalletProvider,
  method: string,
  params: readonly unknown[],
): Promise<T | null> => {
  const answer = await provider.request({ method, params });
  return typeof answer === 'object' ? (answer as T | null) : null;
};

/** Null if the wallet doesn't report it. */
export const newestBlock = async (provider: WalletProvider): Promise<bigint | null> =>
  quantity(await provider.request({ method: 'eth_blockNumber' }));

/** Null unless all parts are known. */
export function effectOf(sent: Partial<Sent> | null): Effect | null {
  const [to, data, value] = [sent?.to, sent?.input ?? sent?.data, quantity(sent?.value)];
  if (typeof to !== 'string' || typeof data !== 'string' || value === null) return null;
  return { to: to.toLowerCase(), data: data.toLowerCase(), value };
}

interface Missing {
  from: string;
  nonce: bigint;
  /** Null if unknown. */
  call: Effect | null;
  /** The newest block at the first lookup; null if unknown. */
  first: bigint | null;
}

/**
 * Returns the hash of the transaction with this nonce if it does the same as the missing one, which it replaced: a
 * wallet speeds one up by sending it again with a higher fee. @throws WalletError if it does something else, or
 * that is unknown
 */
export async function sameEffect(provider: WalletProvider, missing: Missing): Promise<string> {
  const { from, call } = missing;
  const found = await takenBy(provider, missing).catch(() => null);
  const effect = effectOf(found);
  if (found === null || typeof found.hash !== 'string' || call === null || effect === null)
    throw new WalletError(
      'unclear',
      'Another transaction from your account replaced this one. It may do the same.',
      'Check the latest transactions in your wallet before you send anything again.',
    );
  if (effect.to === call.to && effect.data === call.data && effect.value === call.value) return found.hash;
  const isCanceled = effect.to === from.toLowerCase() && effect.value === 0n && effect.data === '0x';
  throw new WalletError(
    'replaced',
    isCanceled
      ? 'The transaction was canceled in your wallet.'
      : 'Another transaction from your account replaced this one.',
    'It changed nothing. Send it again if you still want to.',
  );
}

/**
 * Finds the block in which an account used a nonce: from that block on, the account's transaction count is higher.
 */
async function takenBy(
  provider: WalletProvider,
  { from, nonce, first }: Missing,
): Promise<Partial<Sent> | null> {
  const latest = await newestBlock(provider);
  if (latest === null || first === null) return null;
  const isUsed = async (block: bigint) => {
    const count = await provider.request({
      method: 'eth_getTransactionCount',
      params: [from, `0x${block.toString(16)}`],
    });
    return (quantity(count) ?? 0n) > nonce;
  };
  let [low, high] = [first > MARGIN ? first - MARGIN : 0n, latest];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (await isUsed(middle)) high = middle;
    else low = middle + 1n;
  }
  const block = await request<{ transactions?: unknown }>(provider, 'eth_getBlockByNumber', [
    `0x${high.toString(16)}`,
    true,
  ]);
  const sent: unknown[] = Array.isArray(block?.transactions) ? block.transactions : [];
  const isIt = (one: unknown): one is Partial<Sent> =>
    typeof one === 'object' &&
    one !== null &&
    String((one as Partial<Sent>).from).toLowerCase() === from.toLowerCase() &&
    quantity((one as Partial<Sent>).nonce) === nonce;
  return sent.find(isIt) ?? null;
}
