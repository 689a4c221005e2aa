import type { Chain } from 'viem';
import { base, mainnet, sepolia } from 'viem/chains';
import { expect, it } from 'vitest';
import { CHAINS, chainById, configureChains } from './chains';

it("defines the four networks in viem's shape", () => {
  const chains: readonly Chain[] = CHAINS;
  expect(chains.map(({ id }) => id)).toEqual([1, 8453, 11155111, 31337]);
  for (const known of [mainnet, base, sepolia]) {
    const ours = chainById(known.id);
    expect(ours?.name).toBe(known.name);
    expect(ours?.nativeCurrency.symbol).toBe(known.nativeCurrency.symbol);
    expect(ours?.nativeCurrency.decimals).toBe(18);
  }
  expect(chainById(8453)?.blockTime).toBe(2000);
  expect(chainById(31337)?.rpcUrls.default).toEqual({
    http: ['http://127.0.0.1:8545'],
    webSocket: ['ws://127.0.0.1:8545'],
  });
  expect(chainById(2)).toBeUndefined();
});

it("uses an installation's RPC URLs and keeps the other defaults", () => {
  const chains = configureChains({ 1: { http: ['https://rpc.example/key'] } });
  expect(chainById(1, chains)?.rpcUrls.default.http).toEqual(['https://rpc.example/key']);
  expect(chainById(1, chains)?.rpcUrls.default.webSocket).toEqual(chainById(1)?.rpcUrls.default.webSocket);
  expect(chainById(8453, chains)).toBe(chainById(8453));
  expect(() => configureChains({ 1: { http: ['ws://k3y'] } })).toThrow(/Ethereum \(1\)(?!.*k3y)/);
  expect(() => configureChains({ 1: { webSocket: ['nope'] } })).toThrow('ws:// or wss://');
});
