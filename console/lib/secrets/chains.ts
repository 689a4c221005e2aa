// Supported networks in the shape of viem's `Chain`, so that a definition can be passed to it unchanged.

export interface ChainDefinition {
  id: number;
  name: string;
  nativeCurrency: { decimals: number; name: string; symbol: string };
  rpcUrls: { default: { http: readonly string[]; webSocket: readonly string[] } };
  /** Milliseconds. */
  blockTime?: number;
  blockExplorers?: { default: { name: string; url: string } };
  testnet?: boolean;
}

const ETHER = { decimals: 18, name: 'Ether', symbol: 'ETH' };

/** With public RPC endpoints, which are rate limited; an installation should configure its own. */
export const CHAINS: readonly ChainDefinition[] = [
  {
    id: 1,
    name: 'Ethereum',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: {
        http: ['https://ethereum-rpc.publicnode.com'],
        webSocket: ['wss://ethereum-rpc.publicnode.com'],
      },
    },
    blockExplorers: { default: { name: 'Etherscan', url: 'https://etherscan.io' } },
  },
  {
    id: 8453,
    name: 'Base',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: {
        http: ['https://mainnet.base.org'],
        webSocket: ['wss://base-rpc.publicnode.com'],
      },
    },
    blockTime: 2000,
    blockExplorers: { default: { name: 'Basescan', url: 'https://basescan.org' } },
  },
  {
    id: 11155111,
    name: 'Sepolia',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: {
        http: ['https://ethereum-sepolia-rpc.publicnode.com'],
        webSocket: ['wss://ethereum-sepolia-rpc.publicnode.com'],
      },
    },
    blockExplorers: { default: { name: 'Etherscan', url: 'https://sepolia.etherscan.io' } },
    testnet: true,
  },
  {
    id: 31337,
    name: 'Local development',
    nativeCurrency: ETHER,
    rpcUrls: {
      default: { http: ['http://127.0.0.1:8545'], webSocket: ['ws://127.0.0.1:8545'] },
    },
    testnet: true,
  },
];

/** By chain ID; a list replaces the default, and a missing one keeps it. */
export type RpcOverrides = Readonly<
  Record<number, { http?: readonly string[]; webSocket?: readonly string[] }>
>;

/**
 * Returns the networks with this installation's RPC URLs. @throws {Error} naming the chain of an invalid URL.
 */
export function configureChains(overrides: RpcOverrides): ChainDefinition[] {
  return CHAINS.map((chain) => {
    const own = overrides[chain.id];
    if (!own) return chain;
    const { http, webSocket } = chain.rpcUrls.default;
    return {
      ...chain,
      rpcUrls: {
        default: {
          http: checkUrls(chain, own.http ?? http, ['http:', 'https:']),
          webSocket: checkUrls(chain, own.webSocket ?? webSocket, ['ws:', 'wss:']),
        },
      },
    };
  });
}

function checkUrls(chain: ChainDefinition, urls: readonly string[], protocols: readonly string[]) {
  for (const url of urls) {
    // The URL may contain an access key, so it isn't repeated.
    if (!URL.canParse(url) || !protocols.includes(new URL(url).protocol))
      throw new Error(
        `An RPC URL for ${chain.name} (${chain.id}) must be a URL starting with ${protocols.join('// or ')}//.`,
      );
  }
  return urls;
}

export function chainById(
  id: number,
  chains: readonly ChainDefinition[] = CHAINS,
): ChainDefinition | undefined {
  return chains.find((chain) => chain.id === id);
}
