import type { ChainDefinition } from '../kms/chains';
import { feeOf, formatAmount } from './fee';
import type { WalletProvider } from './provider';
import { effectOf, newestBlock, quantity, request, sameEffect, type Effect, type Sent } from './replacement';
import { requestAccount } from './requestAccount';
import { CHAIN_NOT_ADDED, codeOf, walletError, WalletError } from './walletError';

/**
 * The current step: connecting, choosing the network, trying the call, waiting for the user, waiting for a block.
 */
export type Stage = 'connect' | 'network' | 'check' | 'confirm' | 'mining';

export interface Transaction {
  to: string;
  /** May depend on the signing account. */
  data: `0x${string}` | ((from: string) => `0x${string}`);
}

interface Receipt {
  status?: unknown;
  logs?: unknown;
}

/** A transaction in a block. */
export interface Made {
  hash: string;
  /** As the wallet returned them. */
  logs: unknown;
}

export interface Options {
  chain: ChainDefinition;
  onStage: (stage: Stage, hash?: string) => void;
  /**
   * Called with the transaction's hash as soon as there is one, so that another visit can find it. Called again
   * with another hash if its user speeds it up.
   * @param from the sending account
   */
  onSent?: (hash: string, from: string) => void;
  /** Aborted when the dialog closes; a sent transaction stays sent. */
  signal: AbortSignal;
  /** Milliseconds between polls of a sent transaction, and until it counts as stuck. */
  pollMs?: number;
  slowMs?: number;
}

const POLL_MS = 1_500;
const SLOW_MS = 5 * 60_000;

/**
 * Sends a transaction through a wallet: connects, switches it to the chain, tries the call so that a refusal costs
 * nothing, and waits until it is in a block. The key never leaves the wallet. @throws WalletError
 */
export async function sendCall(
  provider: WalletProvider,
  transaction: Transaction,
  options: Options,
): Promise<Made> {
  return explained(options, () => send(provider, transaction, options));
}

/** Waits for a transaction sent in an earlier visit. @throws WalletError */
export async function followCall(provider: WalletProvider, hash: string, options: Options): Promise<Made> {
  return explained(options, () =>
    stillSent(async () => {
      const from = await connect(provider, options, STILL_SENT);
      options.onStage('mining', hash);
      return untilMined(provider, { hash, from, call: null }, options);
    }),
  );
}

async function explained<T>({ signal }: Options, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw walletError(error);
  }
}

const NOTHING_SENT = 'Nothing was sent.';
const STILL_SENT = 'The transaction was already sent and may still be confirmed.';

/**
 * Waits for a sent transaction. Whatever goes wrong with the wallet, the transaction stays sent: only its receipt,
 * or its replacement's, ends the wait.
 */
async function stillSent<T>(wait: () => Promise<T>): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    if (error instanceof WalletError) throw error;
    const { kind, message } = walletError(error);
    const advice = `${STILL_SENT} Check your wallet, then track it again.`;
    throw new WalletError(kind === 'reverted' ? 'failed' : kind, message, advice, { cause: error });
  }
}

/** @param state sentence about the transaction's state so far @returns the account shared by the wallet */
async function connect(
  provider: WalletProvider,
  { chain, onStage }: Options,
  state: string,
): Promise<string> {
  onStage('connect');
  const from = await requestAccount(provider);
  onStage('network');
  await moveToChain(provider, chain, state);
  return from;
}

async function send(provider: WalletProvider, { to, data }: Transaction, options: Options): Promise<Made> {
  const { chain, onStage, onSent, signal } = options;
  const from = await connect(provider, options, NOTHING_SENT);
  onStage('check');
  await requireContract(provider, to, chain);
  const call = { from, to, data: typeof data === 'function' ? data(from) : data, value: '0x0' };
  await provider.request({ method: 'eth_call', params: [call, 'latest'] });
  await requireFunds(provider, call, chain);
  signal.throwIfAborted();
  onStage('confirm');
  // Includes the chain: a wallet that has since switched to another one must refuse.
  const sent = { ...call, chainId: hex(chain.id) };
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [sent] });
  if (typeof hash !== 'string' || !HASH.test(hash))
    throw new WalletError(
      'unclear',
      'Your wallet returned no transaction hash.',
      'Check your wallet’s activity before you send it again.',
    );
  onSent?.(hash, from);
  onStage('mining', hash);
  return stillSent(() => untilMined(provider, { hash, from, call: effectOf(call) }, options));
}

/** A transaction hash. */
const HASH = /^0x[0-9a-f]{64}$/i;

const hex = (value: number) => `0x${value.toString(16)}`;

/** Switches the wallet to the chain. @throws {WalletError} if it stays on another one */
async function moveToChain(provider: WalletProvider, chain: ChainDefinition, state: string): Promise<void> {
  const isThere = async () =>
    quantity(await provider.request({ method: 'eth_chainId' })) === BigInt(chain.id);
  if (await isThere()) return;
  const advice = `${state} Choose ${chain.name} (chain ${chain.id}) in the wallet, or try again and approve the switch.`;
  try {
    await switchOrAdd(provider, chain, isThere);
  } catch (error) {
    if (walletError(error).kind !== 'rejected') throw error;
    const message = `You declined the switch, so your wallet still isn’t on ${chain.name}.`;
    throw new WalletError('wrong_network', message, advice, { cause: error });
  }
  if (!(await isThere()))
    throw new WalletError('wrong_network', `Your wallet isn’t on ${chain.name}.`, advice);
}

/** Adds the chain if the wallet doesn't know it. */
async function switchOrAdd(
  provider: WalletProvider,
  chain: ChainDefinition,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const chainId = hex(chain.id);
  const switchTo = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  try {
    await switchTo();
  } catch (error) {
    if (codeOf(error) !== CHAIN_NOT_ADDED) throw error;
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId,
          chainName: chain.name,
          nativeCurrency: chain.nativeCurrency,
          rpcUrls: chain.rpcUrls.default.http,
          ...(chain.blockExplorers ? { blockExplorerUrls: [chain.blockExplorers.default.url] } : {}),
        },
      ],
    });
    if (!(await isThere())) await switchTo();
  }
}

/**
 * Checks that there is a contract at an address: without one, the call succeeds and costs its fee, and nothing changes.
 * A wallet that doesn't know is trusted. @throws WalletError
 */
async function requireContract(provider: WalletProvider, to: string, chain: ChainDefinition): Promise<void> {
  const code = await provider.request({ method: 'eth_getCode', params: [to, 'latest'] }).catch(() => null);
  if (code !== '0x') return;
  throw new WalletError(
    'failed',
    `There is no contract at ${to} on ${chain.name}.`,
    `${NOTHING_SENT} Check the address. If the contract was deployed a moment ago, try again in a minute.`,
  );
}

async function requireFunds(
  provider: WalletProvider,
  call: { from: string },
  { nativeCurrency, name }: ChainDefinition,
): Promise<void> {
  const [fee, balance] = await Promise.all([
    feeOf(provider, call),
    provider.request({ method: 'eth_getBalance', params: [call.from, 'latest'] }).then(quantity),
  ]);
  if (!fee || balance === null) return;
  const missing = fee.gas * fee.price - balance;
  if (missing > 0n)
    throw new WalletError(
      'insufficient_funds',
      `Your account lacks ${formatAmount(missing, nativeCurrency.decimals)} ${nativeCurrency.symbol} for the fee.`,
      `Add funds to ${call.from} on ${name}, then try again.`,
    );
}

/**
 * Checks that a wallet is still on the chain the transaction was sent to. Another chain doesn't know the
 * transaction, and has its own nonces for the account. @throws WalletError
 */
async function requireChain(provider: WalletProvider, chain: ChainDefinition): Promise<void> {
  if (quantity(await provider.request({ method: 'eth_chainId' })) === BigInt(chain.id)) return;
  throw new WalletError(
    'wrong_network',
    `Your wallet is no longer on ${chain.name}, so the transaction can’t be checked.`,
    `${STILL_SENT} Choose ${chain.name} (chain ${chain.id}) in the wallet, then track it again.`,
  );
}

/** Polls for a transaction until it, or its replacement, is in a block. */
async function untilMined(
  provider: WalletProvider,
  sent: { hash: string; from: string; call: Effect | null },
  options: Options,
): Promise<Made> {
  const { chain, signal, pollMs = POLL_MS, slowMs = SLOW_MS, onStage, onSent } = options;
  const since = Date.now();
  const first = await newestBlock(provider);
  let { hash, from, call } = sent;
  /** @returns its nonce, as long as the network knows it */
  const look = async () => {
    const found = await request<Partial<Sent>>(provider, 'eth_getTransactionByHash', [hash]);
    // Not the connected account, if an earlier visit sent it.
    if (typeof found?.from === 'string') ({ from } = found);
    call = effectOf(found) ?? call;
    return quantity(found?.nonce);
  };
  let nonce: bigint | null = null;
  for (;;) {
    signal.throwIfAborted();
    await requireChain(provider, chain);
    const receipt = await request<Receipt>(provider, 'eth_getTransactionReceipt', [hash]);
    if (receipt !== null) {
      if (quantity(receipt.status) === 1n) return { hash, logs: receipt.logs };
      throw new WalletError(
        'reverted',
        'The transaction failed on-chain, so nothing changed.',
        'Check that your account owns the contract.',
      );
    }
    nonce ??= await look();
    const used = quantity(
      await provider.request({ method: 'eth_getTransactionCount', params: [from, 'latest'] }),
    );
    if (nonce !== null && used !== null && used > nonce && (await look()) === null) {
      const other = await sameEffect(provider, { from, nonce, call, first }).then(
        (found) => ({ found }),
        (error: unknown) => ({ error }),
      );
      // If the network has changed since the last poll, none of this is about the transaction.
      await requireChain(provider, chain);
      if ('error' in other) throw other.error;
      hash = other.found;
      onSent?.(hash, from);
      onStage('mining', hash);
      continue;
    }
    if (Date.now() - since > slowMs)
      throw new WalletError(
        'slow',
        `The transaction ${hash} isn’t in a block yet.`,
        'Speed it up in the wallet, or wait: this page shows the change once it is on-chain.',
      );
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
