import { BlockList, isIP } from 'node:net';

/** IP networks listed by an operator. */
export interface Networks {
  /** Whether an address is in one of them. IPv4 addresses may be written as IPv6 (`::ffff:192.0.2.1`). */
  has(address: string): boolean;
}

/** Returns undefined if a part is neither an address nor a network such as `192.0.2.0/24`. */
export function parseNetworks(text: string): Networks | undefined {
  const list = new BlockList();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const version = isIP(address);
    if (version === 0) return undefined;
    const most = version === 4 ? 32 : 128;
    const prefix = Number(bits ?? most);
    if (prefix > most) return undefined;
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'),
  };
}
