import { expect, it } from 'vitest';
import { appIdFor, newWallet } from './appId';

it('derives the app IDs Ethereum gives contracts of the wallet', () => {
  // The well-known CREATE vector: contracts of a development chain's first account.
  const wallet = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0';
  expect([0, 1, 2, 3].map((nonce) => appIdFor(wallet, nonce))).toEqual([
    'cd234a471b72ba2f1ccf0a70fcaba648a5eecd8d',
    '343c43a37d37dff08ae8c4a11544c718abb4fcf8',
    'f778b86fa74e846c4f0a1fbd1335fe81c00a0c91',
    'fffd933a0bc612844eaf0c6fe3e5b8e9b6c1d19c',
  ]);
});

it('gives every team its own wallet', () => {
  expect(newWallet()).toMatch(/^0x[0-9a-f]{40}$/);
  expect(newWallet()).not.toBe(newWallet());
});
