/**
 * Decides which addresses are public. The server has the same rule in domain/core/outbound.ts, but the teepod
 * imports nothing from the server.
 */
import { BlockList, isIP } from 'node:net';

// IANA special-purpose address registries (RFC 6890 and its updates), multicast and reserved ranges.
const PRIVATE_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Inside 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const PRIVATE_V6 = `2001::/23 2001:db8::/32 2002::/16 3fff::/20`;

const listOf = (networks: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks.split(/\s+/)) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};
const privateV4 = listOf(PRIVATE_V4, 'ipv4');
const privateV6 = listOf(PRIVATE_V6, 'ipv6');
const globalV6 = listOf('2000::/3', 'ipv6');

/** IPv6 only if global unicast: mapped, translated and local forms lead elsewhere. */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 4) return !privateV4.check(ip, 'ipv4');
  return isIP(ip) === 6 && globalV6.check(ip, 'ipv6') && !privateV6.check(ip, 'ipv6');
}
