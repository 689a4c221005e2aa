import { z } from 'zod';
import { CHAINS, type ChainDefinition, type RpcUrls } from '../console/lib/kms/chains';
import { isPublicKey } from './domain/billing/usdc/address';
import type { UsdcNetwork } from './domain/billing/usdc/network';
import { OTHER_CONFIRMATIONS, USDC } from '../console/lib/billing/usdc';
import { optional, variable } from './configVariable';

const MAX_URLS = 8;
const HTTP = ['http:', 'https:'];
const WEB_SOCKET = ['ws:', 'wss:'];

const hasProtocol = (protocols: readonly string[]) => (url: string) =>
  protocols.includes(new URL(url).protocol);

/** Comma-separated URLs in order of preference. At least one answers requests; the ws ones announce events. */
const rpcUrls = z
  .string()
  .max(4000)
  .transform((value) =>
    value
      .split(',')
      .map((url) => url.trim())
      .filter((url) => url !== ''),
  )
  .pipe(
    z
      .array(z.string().refine((url) => URL.canParse(url) && hasProtocol([...HTTP, ...WEB_SOCKET])(url)))
      .max(MAX_URLS),
  )
  .transform((urls): RpcUrls => ({
    http: urls.filter(hasProtocol(HTTP)),
    webSocket: urls.filter(hasProtocol(WEB_SOCKET)),
  }))
  .refine(({ http }) => http.length > 0);

const rpcOf = ({ id, name, rpcUrls: { default: urls } }: ChainDefinition) =>
  variable({
    what: `RPC URLs of ${name} (${id}), tried in this order. ws and wss URLs announce contract events; without them, events are polled.`,
    defaultNote: [...urls.http, ...urls.webSocket].join(','),
    expected: `up to ${MAX_URLS} comma-separated http, https, ws or wss URLs, at least one of them http or https`,
    secret: true,
    schema: optional(rpcUrls),
  });

const [ethereum, base, sepolia, local] = CHAINS as readonly [
  ChainDefinition,
  ChainDefinition,
  ChainDefinition,
  ChainDefinition,
];

/** Comma-separated networks, each optionally with another token contract: `base,local=0x…`. */
const usdcNetworks = z
  .string()
  .max(1000)
  .transform((value): (UsdcNetwork | null)[] =>
    value.split(',').map((entry) => {
      const [name = '', given] = entry.trim().split('=');
      const chain = CHAINS.find(({ slug }) => slug === name);
      const known = chain && USDC[chain.slug];
      const token = (given ?? known?.token ?? '').toLowerCase();
      if (!chain || !/^0x[0-9a-f]{40}$/.test(token)) return null;
      return { chain, token, confirmations: known?.confirmations ?? OTHER_CONFIRMATIONS };
    }),
  )
  .refine((networks) => networks.every((network) => network !== null))
  .transform((networks) => networks.flatMap((network) => network ?? []))
  .refine((networks) => new Set(networks.map(({ chain }) => chain.id)).size === networks.length);

/** RPC URLs may contain access keys. */
export const CHAIN_VARIABLES = {
  ETHEREUM_RPC_URL: rpcOf(ethereum),
  BASE_RPC_URL: rpcOf(base),
  SEPOLIA_RPC_URL: rpcOf(sepolia),
  LOCAL_CHAIN_RPC_URL: rpcOf(local),
  USDC_XPUB: variable({
    what: 'Extended public key (BIP-32) from which each team gets its own address for USDC deposits: child 0, 1, 2 and so on of this key. Your wallet holds the private keys; this server never does. Use this key for nothing else: together with the private key of any one child, it reveals all of them. Without it, teams can’t pay in USDC.',
    expected: 'an extended public key that starts with xpub',
    secret: true,
    schema: optional(z.string().refine(isPublicKey)),
  }),
  USDC_NETWORKS: variable({
    what: 'Networks on which USDC deposits count: ethereum, base, sepolia, local. To use a contract other than Circle’s, write local=0x….',
    default: 'ethereum,base',
    expected: 'comma-separated networks, each once; local needs the address of its token',
    schema: usdcNetworks,
  }),
};
