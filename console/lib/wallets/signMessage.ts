import { bytesToHex, utf8 } from '../bytes';
import type { WalletProvider } from './provider';
import { requestAccount } from './requestAccount';
import { walletError } from './walletError';

/** Returns the account chosen by the wallet's user, and its network. @throws {WalletError} */
export async function connectAccount(
  provider: WalletProvider,
): Promise<{ address: string; chain_id: number }> {
  try {
    const address = await requestAccount(provider);
    const chain_id = Number(await provider.request({ method: 'eth_chainId' }));
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
  const hex = `0x${bytesToHex(utf8(message))}`;
  try {
    return String(await provider.request({ method: 'personal_sign', params: [hex, address] }));
  } catch (error) {
    throw walletError(error);
  }
}
