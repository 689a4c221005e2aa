import type { WalletProvider } from './provider';
import { WalletError } from './walletError';

/** Returns the account the wallet's user shares with this page. @throws {WalletError} or the wallet's own error */
export async function requestAccount(provider: WalletProvider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address === 'string' && /^0x[0-9a-f]{40}$/i.test(address)) return address;
  throw new WalletError(
    'no_account',
    'Your wallet has no account for this page.',
    'Unlock the wallet, choose an account and try again.',
  );
}
