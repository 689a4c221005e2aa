import type { WalletProvider } from './provider';
import { WalletError, walletError } from './walletError';

/** Returns the account that the wallet's user chooses, and the network it is on. @throws {WalletError} */
export async function connectAccount(
  provider: WalletProvider,
): Promise<{ address: string; chain_id: number }> {
  try {
    const [accounts, chain] = [
      await provider.request({ method: 'eth_requestAccounts' }),
      await provider.request({ method: 'eth_chainId' }),
    ];
    const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
    if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address))
      throw new WalletError(
        'no_account',
        'Your wallet has no account for this page.',
        'Unlock the wallet, choose an account and try again.',
      );
    const chain_id = Number(chain);
    return { address, chain_id: Number.isSafeInteger(chain_id) && chain_id > 0 ? chain_id : 1 };
  } catch (error) {
    throw walletError(error);
  }
}

/** Asks the wallet to sign a text with an account (`personal_sign`). @throws {WalletError} */
export async function signMessage(
  provider: WalletProvider,
  message: string,
  address: string,
): Promise<string> {
  const bytes = new TextEncoder().encode(message);
  const hex = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  try {
    return String(await provider.request({ method: 'personal_sign', params: [hex, address] }));
  } catch (error) {
    throw walletError(error);
  }
}
