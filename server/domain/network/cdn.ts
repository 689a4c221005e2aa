import { isIP } from 'node:net';
import { listOf } from '../core/outbound';

/** Proxies that terminate TLS themselves: behind one, the gateway never sees the requested name. */
interface Cdn {
  name: string;
  names: RegExp;
  /** Networks the operator publishes; empty where names suffice. */
  networks: string;
}

const KNOWN: readonly Cdn[] = [
  {
    name: 'Cloudflare',
    names: /(?:^|\.)(?:cdn\.cloudflare\.net|cdn\.cloudflareanycast\.net)$/,
    networks: `173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18 108.162.192.0/18
      190.93.240.0/20 188.114.96.0/20 197.234.240.0/22 198.41.128.0/17 162.158.0.0/15 104.16.0.0/13 104.24.0.0/14
      172.64.0.0/13 131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32 2405:b500::/32 2405:8100::/32
      2a06:98c0::/29 2c0f:f248::/32`,
  },
  {
    name: 'Fastly',
    names: /(?:^|\.)(?:fastly\.net|fastlylb\.net)$/,
    networks: '151.101.0.0/16 199.232.0.0/16 146.75.0.0/16 2a04:4e40::/29',
  },
  { name: 'Amazon CloudFront', names: /(?:^|\.)cloudfront\.net$/, networks: '' },
  { name: 'Akamai', names: /(?:^|\.)(?:edgekey|edgesuite|akamaiedge|akamai)\.net$/, networks: '' },
  { name: 'Azure Front Door', names: /(?:^|\.)(?:azurefd|azureedge|t-msedge)\.net$/, networks: '' },
  { name: 'Bunny', names: /(?:^|\.)b-cdn\.net$/, networks: '' },
  { name: 'Vercel', names: /(?:^|\.)vercel-dns(?:-\d+)?\.com$/, networks: '76.76.21.0/24' },
];
const lists = KNOWN.map((cdn) => ({
  ...cdn,
  list: listOf(cdn.networks.split(/\s+/).filter((network) => network !== '')),
}));

/** Returns the proxy these names and addresses belong to, or null. */
export function cdnOf(names: readonly string[], addresses: readonly string[]): string | null {
  const found = lists.find(
    ({ names: pattern, list }) =>
      names.some((name) => pattern.test(name)) ||
      addresses.some((ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')),
  );
  return found?.name ?? null;
}
