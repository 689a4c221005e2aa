import type { ChainDefinition } from '../kms/chains';
import type { WalletProvider } from './provider';
import { quantity } from './replacement';
import { walletError } from './walletError';

/** The expected network fee of a transaction. */
export interface Fee {
  gas: bigint;
  /** Price per unit of gas, in the smallest unit of the chain's currency. */
  price: bigint;
}

/** A transaction without value, before signing. */
interface Unsent {
  to: string;
  data: `0x${string}`;
}

export type EstimateFee = (transaction: Unsent) => Promise<Fee>;

/** Thrown if the fee is unknown, with a sentence as the reason. */
export class FeeUnknown extends Error {
  override name = 'FeeUnknown';
}

/** Thrown if the contract refuses the transaction, so that a wallet wouldn't offer to send it. */
export class FeeRefused extends FeeUnknown {
  override name = 'FeeRefused';
}

/** Returns a call's fee on the wallet's network; null if the wallet doesn't report it. */
export async function feeOf(provider: WalletProvider, call: object): Promise<Fee | null> {
  const [gas, price] = await Promise.all([
    provider.request({ method: 'eth_estimateGas', params: [call] }),
    provider.request({ method: 'eth_gasPrice' }),
  ]).then((answers) => answers.map(quantity));
  return gas == null || price == null ? null : { gas, price };
}

/** Estimates a transaction's fee through a wallet, without prompting its user. @throws {FeeUnknown} */
export async function estimateWithWallet(
  provider: WalletProvider,
  chain: ChainDefinition,
  { to, data }: Unsent,
): Promise<Fee> {
  const fee = await askWallet(provider, chain, { to, data }).catch((error: unknown) => {
    if (error instanceof FeeUnknown) throw error;
    const { kind, message } = walletError(error);
    if (kind === 'reverted') throw new FeeRefused(message, { cause: error });
    throw new FeeUnknown('Your wallet provided no estimate.', { cause: error });
  });
  if (!fee) throw new FeeUnknown('Your wallet provided no estimate.');
  return fee;
}

async function askWallet(
  provider: WalletProvider,
  chain: ChainDefinition,
  { to, data }: Unsent,
): Promise<Fee | null> {
  if (quantity(await provider.request({ method: 'eth_chainId' })) !== BigInt(chain.id))
    throw new FeeUnknown(`It can’t be estimated while your wallet isn’t on ${chain.name}.`);
  // Uses accounts that are already shared; requesting one would open the wallet.
  const accounts = await provider.request({ method: 'eth_accounts' });
  const from: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  return feeOf(provider, { to, data, value: '0x0', ...(typeof from === 'string' ? { from } : {}) });
}

/** "about 0.000254 ETH (253,244 gas at 1 gwei)" */
export function feeText({ gas, price }: Fee, { nativeCurrency }: ChainDefinition): string {
  const { decimals, symbol } = nativeCurrency;
  return `about ${formatAmount(gas * price, decimals)} ${symbol} (${gas.toLocaleString('en-US')} gas at ${formatAmount(price, 9)} gwei)`;
}

/** Formats six decimal places, rounded up so that the amount suffices. */
export function formatAmount(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(Math.max(0, decimals - 6));
  const rounded = (amount + unit - 1n) / unit;
  const text = rounded.toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}
