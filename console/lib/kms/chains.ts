// The networks that a KMS contract may be on: the only table of them, for the server, the console and the admin
// area. In the shape of viem's `Chain`, so that definitions can be passed to it unchanged.

export type ChainName = 'ethereum' | 'base' | 'sepolia' | 'local';

export interface ChainDefinition {
  id: number;
  /** Name in the API. */
  slug: ChainName;
  name: string;
  nativeCurrency: { decimals: number; name: string; symbol: string };
  rpcUrls: { default: { http: readonly string[]; webSocket: readonly string[] } };
  /** Milliseconds. */
  blockTime?: number;
  blockExplorers?: { default: { name: string; url: string } };
  testnet?: boolean;
}

const ETHER = { decimals: 18, name: 'Ether', symbol: 'ETH' };

/** Has public RPC endpoints, which are rate limited; an installation should configure its own. */
export const CHAINS: readonly ChainDefinition[] = [
  {
    id: 1,
    slug: 'ethereum',
    name: 'Ethereum',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: {
        http: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
        webSocket: ['wss://ethereum-rpc.publicnode.com'],
      },
    },
    blockExplorers: { default: { name: 'Etherscan', url: 'https://etherscan.io' } },
  },
  {
    id: 8453,
    slug: 'base',
    name: 'Base',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: {
        http: ['https://mainnet.base.org', 'https://base-rpc.publicnode.com'],
        webSocket: ['wss://base-rpc.publicnode.com'],
      },
    },
    blockTime: 2000,
    blockExplorers: { default: { name: 'Basescan', url: 'https://basescan.org' } },
  },
  {
    id: 11155111,
    slug: 'sepolia',
    name: 'Sepolia',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: {
        http: ['https://ethereum-sepolia-rpc.publicnode.com', 'https://sepolia.drpc.org'],
        webSocket: ['wss://ethereum-sepolia-rpc.publicnode.com'],
      },
    },
    blockExplorers: { default: { name: 'Etherscan', url: 'https://sepolia.etherscan.io' } },
    testnet: true,
  },
  {
    id: 31337,
    slug: 'local',
    name: 'Local development',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: { http: ['http://127.0.0.1:8545'], webSocket: ['ws://127.0.0.1:8545'] },
    },
    testnet: true,
  },
];

export type RpcUrls = ChainDefinition['rpcUrls']['default'];

/** Returns the networks with an installation's RPC URLs, by chain. A chain's URLs replace all of its defaults. */
export const configureChains = (
  own: Readonly<Partial<Record<ChainName, RpcUrls | undefined>>>,
): readonly ChainDefinition[] =>
  CHAINS.map((chain) => {
    const urls = own[chain.slug];
    return urls === undefined ? chain : { ...chain, rpcUrls: { default: urls } };
  });

export const chainById = (id: number): ChainDefinition | undefined => CHAINS.find((chain) => chain.id === id);

export const networkName = (id: number): string => chainById(id)?.name ?? `chain ${id}`;

/**
 * Returns the network whose contract must allow what a CVM runs and where; null if no contract guards the app's
 * keys.
 */
export function guardingNetwork({
  kms_info,
}: {
  kms_info: { chain_id: number | null } | null;
}): string | null {
  const chain_id = kms_info?.chain_id ?? null;
  return chain_id === null ? null : networkName(chain_id);
}

/** Returns a network by its API name in any case, or by its chain ID as text. */
export const chainNamed = (name: string): ChainDefinition | undefined =>
  CHAINS.find(({ id, slug }) => slug === name.toLowerCase() || String(id) === name);

export const chainIdOf = (slug: ChainName): number => {
  const chain = chainNamed(slug);
  if (!chain) throw new Error(`${slug} is not in the table of networks`);
  return chain.id;
};
