import { isIP } from 'node:net';
import type { Seal } from '../core/seal';
import { webhookUrlRefusal } from '../webhooks/webhook';

/** Destinations of the audit log in one installation. */
export const MAX_DESTINATIONS = 20;

const PURPOSE = 'audit-destination';
const KEY_PURPOSE = 'audit-destination-key';

export const sealDestinationSecret = (seal: Seal, secret: string): string => seal.seal(PURPOSE, secret);

/** @throws when it was sealed with another key */
export const openDestinationSecret = (seal: Seal, sealed: string): string => seal.open(PURPOSE, sealed);

export const sealClientKey = (seal: Seal, key: string): string => seal.seal(KEY_PURPOSE, key);

/** @throws when it was sealed with another key */
export const openClientKey = (seal: Seal, sealed: string): string => seal.open(KEY_PURPOSE, sealed);

/** Returns host and port of a syslog server's address; null for another text. An IPv6 address is in brackets. */
export function hostAndPort(address: string): { host: string; port: number } | null {
  const [, v6, name, digits] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]{1,253})):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  const host = v6 ?? name;
  if (host === undefined || port < 1 || port > 65_535) return null;
  return v6 !== undefined && isIP(v6) !== 6 ? null : { host, port };
}

/** Returns why a destination of this kind can't have the address; null when it can. */
export function addressFault(kind: 'syslog_tls' | 'syslog_tcp' | 'webhook', address: string): string | null {
  if (kind === 'webhook') {
    if (!/^https?:\/\//.test(address)) return 'Enter a URL, such as https://logs.example.com/teehouse.';
    return webhookUrlRefusal(address);
  }
  return hostAndPort(address) === null ? 'Enter a host and a port, such as logs.example.com:6514.' : null;
}
