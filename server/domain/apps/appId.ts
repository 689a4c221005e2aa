import { randomBytes } from 'node:crypto';
import { getContractAddress, type Address } from 'viem';

/** The address from which a team's app IDs derive: 20 random bytes without a private key. */
export const newWallet = (): Address => `0x${randomBytes(20).toString('hex')}`;

/**
 * Returns the ID of a team's app number `nonce` under the centralized KMS: the CREATE address of (wallet,
 * nonce), keccak256(rlp([wallet, nonce]))[12:]. 40 hex digits, lowercase, no prefix.
 */
export function appIdFor(wallet: string, nonce: number): string {
  return getContractAddress({ from: wallet as Address, nonce: BigInt(nonce) })
    .slice(2)
    .toLowerCase();
}
