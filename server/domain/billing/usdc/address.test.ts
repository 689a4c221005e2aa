import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { childAddress, isPublicKey } from './address';

/** Seed of the mnemonic “test test test test test test test test test test test junk” (BIP-39, no passphrase). */
const SEED = Buffer.from(
  '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0',
  'hex',
);
const parent = HDKey.fromMasterSeed(SEED).derive("m/44'/60'/0'/0");

describe('addresses for deposits', () => {
  it('match those derived by wallets: the accounts of Hardhat and anvil', () => {
    const xpub = parent.publicExtendedKey;
    expect([0, 1, 2].map((child) => childAddress(xpub, child))).toEqual([
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    ]);
  });

  it('derive from a public key only', () => {
    expect(isPublicKey(parent.publicExtendedKey)).toBe(true);
    expect(isPublicKey(parent.privateExtendedKey)).toBe(false);
    for (const text of ['', 'xpub', parent.publicExtendedKey.slice(0, -1), `${parent.publicExtendedKey}1`])
      expect(isPublicKey(text), text).toBe(false);
  });
});
