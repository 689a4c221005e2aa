import type { Chain } from 'viem';
import { base, foundry, mainnet, sepolia } from 'viem/chains';
import { expect, it } from 'vitest';
import { CHAINS, chainById, chainNamed, configureChains, guardingNetwork } from './chains';

it("defines the four networks in viem's shape", () => {
  const chains: readonly Chain[] = CHAINS;
  expect(chains.map(({ id }) => id)).toEqual([1, 8453, 11155111, 31337]);
  for (const known of [mainnet, base, sepolia, foundry]) {
    const ours = chainById(known.id);
    expect(ours?.nativeCurrency).toEqual({ decimals: 18, name: 'Ether', symbol: 'ETH' });
    if (known !== foundry) {
      expect(ours?.name).toBe(known.name);
      expect(ours?.blockExplorers?.default.url).toBe(known.blockExplorers?.default.url);
    }
  }
  expect(chainById(8453)?.blockTime).toBe(2000);
  expect(chainById(31337)?.rpcUrls.default).toEqual(foundry.rpcUrls.default);
  expect(chainById(2)).toBeUndefined();
});

it('has each network under its API name and its chain ID', () => {
  for (const chain of CHAINS) {
    expect(chainNamed(chain.slug)).toBe(chain);
    expect(chainNamed(chain.slug.toUpperCase())).toBe(chain);
    expect(chainNamed(String(chain.id))).toBe(chain);
  }
  expect(chainNamed('constructor')).toBeUndefined();
});

it("uses an installation's RPC URLs and leaves other networks alone", () => {
  const own = { http: ['https://rpc.example/key'], webSocket: [] };
  const chains = configureChains({ ethereum: own });
  expect(chains[0]?.rpcUrls.default).toEqual(own);
  expect(chains.slice(1)).toEqual(CHAINS.slice(1));
});

it('names the network whose contract guards a CVM', () => {
  expect(guardingNetwork({ kms_info: { chain_id: 8453 } })).toBe('Base');
  expect(guardingNetwork({ kms_info: { chain_id: null } })).toBeNull();
  expect(guardingNetwork({ kms_info: null })).toBeNull();
});
