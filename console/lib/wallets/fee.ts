import type { ChainDefinition } from '../kms/chains';
import type { WalletProvider } from './provider';
import { quantity } from './replacement';
import { walletError } from './walletError';

/** What the network charges for a transaction, as expected. */
export interface Fee {
  gas: bigint;
  /** Per unit of gas, in the smallest unit of the chain's currency. */
  price: bigint;
}

/** A transaction without a value, before anybody signs it. */
interface Unsent {
  to: string;
  data: `0x${string}`;
}

export type EstimateFee = (transaction: Unsent) => Promise<Fee>;

/** Why a fee isn't known, as a sentence. */
export class FeeUnknown extends Error {
  override name = 'FeeUnknown';
}

/** The contract refuses the transaction, so that a wallet wouldn't offer to send it. */
export class FeeRefused extends FeeUnknown {
  override name = 'FeeRefused';
}

/** Returns what a call costs by a wallet's network; null if the wallet doesn't say. */
export async function feeOf(provider: WalletProvider, call: object): Promise<Fee | null> {
  const [gas, price] = await Promise.all([
    provider.request({ method: 'eth_estimateGas', params: [call] }),
    provider.request({ method: 'eth_gasPrice' }),
  ]).then((answers) => answers.map(quantity));
  return gas == null || price == null ? null : { gas, price };
}

/** Estimates a transaction through a wallet, without asking its user for anything. @throws {FeeUnknown} */
export async function estimateWithWallet(
  provider: WalletProvider,
  chain: ChainDefinition,
  { to, data }: Unsent,
): Promise<Fee> {
  const fee = await askWallet(provider, chain, { to, data }).catch((error: unknown) => {
    if (error instanceof FeeUnknown) throw error;
    const { kind, message } = walletError(error);
    if (kind === 'reverted') throw new FeeRefused(message, { cause: error });
    throw new FeeUnknown('Your wallet gave no estimate.', { cause: error });
  });
  if (!fee) throw new FeeUnknown('Your wallet gave no estimate.');
  return fee;
}

async function askWallet(
  provider: WalletProvider,
  chain: ChainDefinition,
  { to, data }: Unsent,
): Promise<Fee | null> {
  if (quantity(await provider.request({ method: 'eth_chainId' })) !== BigInt(chain.id))
    throw new FeeUnknown(`It can’t be estimated while your wallet is on another network than ${chain.name}.`);
  // Of accounts that are shared already; asking for one would open the wallet.
  const accounts = await provider.request({ method: 'eth_accounts' });
  const from: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  return feeOf(provider, { to, data, value: '0x0', ...(typeof from === 'string' ? { from } : {}) });
}

/** "about 0.000254 ETH (253,244 gas at 1 gwei)" */
export function feeText({ gas, price }: Fee, { nativeCurrency }: ChainDefinition): string {
  const { decimals, symbol } = nativeCurrency;
  return `about ${formatAmount(gas * price, decimals)} ${symbol} (${gas.toLocaleString('en-US')} gas at ${formatAmount(price, 9)} gwei)`;
}

/** Six digits after the point, rounded up so that the amount suffices. */
export function formatAmount(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(Math.max(0, decimals - 6));
  const rounded = (amount + unit - 1n) / unit;
  const text = rounded.toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}
