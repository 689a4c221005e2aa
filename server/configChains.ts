import { z } from 'zod';
import { CHAINS, type ChainDefinition, type RpcUrls } from '../console/lib/kms/chains';
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
    what: `RPC URLs of ${name} (${id}), tried in this order.`,
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

/** RPC URLs may contain access keys. */
export const CHAIN_VARIABLES = {
  ETHEREUM_RPC_URL: rpcOf(ethereum),
  BASE_RPC_URL: rpcOf(base),
  SEPOLIA_RPC_URL: rpcOf(sepolia),
  LOCAL_CHAIN_RPC_URL: rpcOf(local),
};
