import { randomBytes } from 'node:crypto';
import { getContractAddress, type Address } from 'viem';

/** The address app ids of a team derive from: 20 random bytes, nobody has a key to it. */
export const newWallet = (): Address => `0x${randomBytes(20).toString('hex')}`;

/**
 * The id of a team's app number `nonce` under the centralised KMS: the CREATE address of (wallet, nonce), as
 * keccak256(rlp([wallet, nonce]))[12:]. 40 hex, small letters, no prefix.
 */
export function appIdFor(wallet: string, nonce: number): string {
  return getContractAddress({ from: wallet as Address, nonce: BigInt(nonce) })
    .slice(2)
    .toLowerCase();
}
