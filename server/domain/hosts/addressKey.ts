import path from 'node:path';

/**
 * Returns a key that is equal for every spelling of a host's address: case, trailing dot and slash, default port,
 * scheme, and the names of this machine. Two teepods with one key would be one host with two owners for each VM.
 *
 * @param url as accepted by the VMM driver: `https://host:port/prefix`, `http://…` or `unix:/path.sock:/prefix`
 * @returns null for anything else
 */
export function addressKey(url: string): string | null {
  const unix = /^unix:(?:\/\/)?(\/[^:]+)(?::(\/.*))?$/.exec(url);
  if (unix) return `unix:${socketOf(unix[1] ?? '')}${prefixOf(unix[2] ?? '')}`;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // One port has one listener, so the scheme doesn't distinguish hosts.
  return `${hostOf(hostname)}:${port || (protocol === 'https:' ? '443' : '80')}${prefixOf(pathname)}`;
}

/** `/var/run` is a link to `/run` on every system that dstack-vmm runs on. */
const socketOf = (file: string) => path.posix.normalize(file).replace(/^\/var\/run\//, '/run/');

/** An escaped letter, digit, `-`, `.`, `_` or `~` means the same as the plain one (RFC 3986 §2.3). */
const unescaped = (pathname: string) =>
  pathname.replace(/%([\da-f]{2})/gi, (escaped, hex: string) => {
    const plain = String.fromCharCode(parseInt(hex, 16));
    return /[\w.~-]/.test(plain) ? plain : escaped.toUpperCase();
  });

const prefixOf = (pathname: string) =>
  unescaped(pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');

/** The URL parser has already lowercased names and written IP addresses in their shortest form. */
function hostOf(hostname: string): string {
  const name = hostname.replace(/\.$/, '');
  const mapped = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name);
  const ip = mapped ? ipv4(parseInt(mapped[1] ?? '0', 16), parseInt(mapped[2] ?? '0', 16)) : name;
  // A connection to the unspecified address reaches this machine.
  return ['[::1]', '[::]', '0.0.0.0'].includes(ip) ||
    /^127(\.\d+){3}$/.test(ip) ||
    /(^|\.)localhost$/.test(ip)
    ? 'localhost'
    : ip;
}

const ipv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
