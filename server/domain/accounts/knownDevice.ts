import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Seal } from '../core/seal';
import { hostCookie, hostCookieName } from './sessionCookie';

/**
 * A browser remembers which accounts signed in with it: `id.mac.mac…`, a random ID and for each account a MAC
 * over ID and account. It grants no access: it only separates the user from strangers who guess at the
 * account.
 */
const PURPOSE = 'known_device';
const MAX_ACCOUNTS = 8;
const ID = /^[\w-]{22}$/;

/** The longest browsers keep a cookie (RFC 6265bis, section 5.5). */
const SECONDS = 400 * 24 * 3600;

const NAME = 'teehouse_device';
export const deviceCookieName = (public_url: string) => hostCookieName(public_url, NAME);

const MAC_LENGTH = 22;
/** The MACs that are accepted, the one for new cookies first. */
const macsOf = (seal: Seal, id: string, account: string) =>
  seal.accepted(PURPOSE, `${id}:${account}`).map((mac) => mac.slice(0, MAC_LENGTH));

function parse(cookie: string | null): { id: string; macs: string[] } | null {
  const [id = '', ...macs] = (cookie ?? '').split('.');
  return ID.test(id) ? { id, macs: macs.slice(0, MAX_ACCOUNTS).filter((mac) => ID.test(mac)) } : null;
}

/** Returns the key the device is counted under if it has signed in to `account` before, otherwise null. */
export function knownDevice(seal: Seal, cookie: string | null, account: string): string | null {
  const device = parse(cookie);
  if (!device) return null;
  const macs = macsOf(seal, device.id, account).map((mac) => Buffer.from(mac));
  if (!device.macs.some((held) => macs.some((mac) => timingSafeEqual(Buffer.from(held), mac)))) return null;
  return createHash('sha256').update(`${device.id}:${account}`).digest('base64url');
}

/** Returns the Set-Cookie value after `account` signed in; the device's other accounts stay. */
export function rememberDevice(
  seal: Seal,
  public_url: string,
  cookie: string | null,
  account: string,
): string {
  const device = parse(cookie) ?? { id: randomBytes(16).toString('base64url'), macs: [] };
  const [mac = '', ...older] = macsOf(seal, device.id, account);
  const others = device.macs.filter((held) => held !== mac && !older.includes(held));
  const macs = [mac, ...others].slice(0, MAX_ACCOUNTS);
  return hostCookie(public_url, NAME, { value: [device.id, ...macs].join('.'), seconds: SECONDS });
}
