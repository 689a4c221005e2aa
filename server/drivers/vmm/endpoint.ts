import { isIP } from 'node:net';
import type { VmmCredential } from './index';

/** Where a host listens, split for an HTTP client. */
export interface Endpoint {
  /** for messages; never contains a credential */
  label: string;
  origin: string;
  socketPath: string | null;
  /** starts with `/` or is empty, has no trailing `/` */
  prefix: string;
  tls: boolean;
  /** a Unix socket or a loopback address: unreachable from the network */
  local: boolean;
}

/**
 * Accepts `http://`, `https://` and `unix:/path.sock`; for a path behind a socket `unix:/path.sock:/prefix` (as in
 * nginx).
 * @throws Error with a sentence for the user who typed the URL
 */
export function parseEndpoint(url: string): Endpoint {
  if (/\p{Cc}/u.test(url)) throw new Error("a host URL can't have control characters");
  if (url.startsWith('unix:')) return parseUnix(url);
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error('not a URL: use https://host:port, http://host:port or unix:/path/to.sock');
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new Error(`unknown scheme ${parsed.protocol} use http:, https: or unix:`);
  // URLs are listed, logged and displayed, and so would be a password.
  if (parsed.username !== '' || parsed.password !== '')
    throw new Error('put the credential in its own field, not in the URL');
  if (parsed.search !== '' || parsed.hash !== '')
    throw new Error("a host URL can't have a query or fragment");
  const prefix = parsed.pathname.replace(/\/+$/, '');
  return {
    label: parsed.origin + prefix,
    origin: parsed.origin,
    socketPath: null,
    prefix,
    tls: parsed.protocol === 'https:',
    local: isLoopback(parsed.hostname),
  };
}

function parseUnix(url: string): Endpoint {
  const [, socketPath, prefix = ''] = /^unix:(?:\/\/)?(\/[^:]+)(?::(\/.*))?$/.exec(url) ?? [];
  if (socketPath === undefined)
    throw new Error('a unix URL is unix:/absolute/path.sock, or unix:/path.sock:/prefix');
  // A query would swallow our paths and let the URL choose the request to whatever listens there.
  if (/[?#\s]/.test(prefix)) throw new Error("a host URL can't have a query or fragment");
  return {
    label: url,
    origin: 'http://localhost',
    socketPath,
    prefix: prefix.replace(/\/+$/, ''),
    tls: false,
    local: true,
  };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** @throws Error if the credential can't be a header */
export function authorization(credential: VmmCredential | null | undefined): string | null {
  if (!credential) return null;
  if (credential.type === 'basic')
    return `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`;
  if (!/^[\x21-\x7e]+$/.test(credential.token))
    throw new Error('a bearer token is printable ASCII without spaces');
  return `Bearer ${credential.token}`;
}

/** Every form in which a credential could return in a host's text. */
export function secretsOf(credential: VmmCredential | null | undefined): string[] {
  if (!credential) return [];
  if (credential.type === 'bearer') return [credential.token];
  return [credential.password, authorization(credential)!.slice('Basic '.length)].filter((s) => s !== '');
}
