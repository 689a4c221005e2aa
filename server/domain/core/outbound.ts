import { BlockList, isIP } from 'node:net';

/**
 * Where the server may connect when a customer supplied the URL: a sign-in provider, a webhook. Without this
 * policy such a URL could name the database host or the cloud's metadata service (SSRF).
 */
export interface OutboundPolicy {
  /** Addresses allowed although they aren't public. */
  allow: BlockList;
  /** This server listens on loopback only: then it may connect to loopback, and without https. */
  loopback: boolean;
}

// IANA special-purpose address registries (RFC 6890 and its updates), plus multicast and reserved ranges.
const PRIVATE_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Inside 2000::/3 but not public hosts: protocol assignments (with Teredo), documentation, 6to4. */
const PRIVATE_V6 = `2001::/23 2001:db8::/32 2002::/16 3fff::/20`;

const notPublic = listOf(`${PRIVATE_V4} ${PRIVATE_V6}`.split(/\s+/));
const global_v6 = listOf(['2000::/3']);
const loopbackOnly = listOf(['127.0.0.0/8', '::1/128']);

/** @param networks addresses and networks in CIDR notation, already checked with `isNetwork` */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** `10.0.0.0/8`, `fd00::/8` or one address. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

const has = (list: BlockList, ip: string) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/** IPv6 is refused unless it is global unicast: mapped, translated and local forms lead elsewhere. */
export const isPublicAddress = (ip: string) =>
  isIP(ip) !== 0 && !has(notPublic, ip) && (isIP(ip) === 4 || has(global_v6, ip));

const isLoopbackAddress = (ip: string) => isIP(ip) !== 0 && has(loopbackOnly, ip);

/** Why the server doesn't connect to this address, or null when it may. */
export function addressRefusal(ip: string, protocol: string, policy: OutboundPolicy): string | null {
  const local = isLoopbackAddress(ip);
  if (protocol !== 'https:' && !(local && policy.loopback)) return 'the URL must start with https://';
  if (isPublicAddress(ip) || (local && policy.loopback) || (isIP(ip) !== 0 && has(policy.allow, ip)))
    return null;
  return local
    ? 'it points to this server itself'
    : "it points to a private network, which OUTBOUND_ALLOW doesn't allow";
}

/** What can be decided about a URL without DNS. */
export function urlRefusal(url: URL, policy: OutboundPolicy): string | null {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.loopback))
    return 'the URL must start with https://';
  if (url.username !== '' || url.password !== '') return 'the URL must not contain a user name or password';
  const host = literalHost(url);
  return isIP(host) === 0 ? null : addressRefusal(host, url.protocol, policy);
}

/** The host without an IPv6 literal's brackets. */
export const literalHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

export function outboundPolicy(config: {
  publicUrl: string;
  outboundAllow: readonly string[];
}): OutboundPolicy {
  const host = literalHost(new URL(config.publicUrl));
  return {
    allow: listOf(config.outboundAllow),
    loopback: host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host),
  };
}

/** Networks of an operator's own machines. Link-local addresses, where clouds serve metadata, aren't among them. */
const SITE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/**
 * The policy for addresses entered by platform administrators: this machine and private networks are allowed.
 */
export const administratorPolicy = (config: { outboundAllow: readonly string[] }): OutboundPolicy => ({
  allow: listOf([...SITE_NETWORKS, ...config.outboundAllow]),
  loopback: true,
});
