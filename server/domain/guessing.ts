import { createHash } from 'node:crypto';
import { addressGroup } from './address';

/**
 * Who has to wait for how many wrong guesses. Waits grow and always end: nobody is shut out for good.
 *
 * A stranger is counted under their address and, wherever they come from, under the account. A browser that signed in
 * to the account before is counted by itself alone: whoever hammers an account makes strangers wait, not its owner.
 */
export type GuessKind = 'password' | 'passkey' | 'code' | 'confirm' | 'device_code' | 'link';

export interface GuessLimit {
  key: string;
  /** Attempts within a window. */
  allowed: number;
  /** How often the window may double. */
  doublings: number;
}

export interface Guesser {
  /** Whose secret is guessed; null when that is not known. */
  account: string | null;
  ip: string;
  /** The device's own key when it signed in to this account before. */
  device: string | null;
}

/**
 * Six digits are soon guessed, so their windows grow to 256 times the first: at the defaults 10 codes in 21 hours. Who
 * guesses them knows the password already. Anybody can guess at a password, so those waits stay bearable.
 */
const DOUBLINGS: Readonly<Record<GuessKind, number>> = {
  password: 3,
  passkey: 3,
  code: 8,
  confirm: 8,
  device_code: 3,
  link: 3,
};

/** Many people share an address (an office, a mobile network), so it has more, and its window grows less. */
const ADDRESS = { share: 3, doublings: 2 };

/** In the order they are counted in; the first that refuses ends it, so that one address cannot use up an account's. */
export function guessLimits(kind: GuessKind, guesser: Guesser, allowed: number): GuessLimit[] {
  const { account, ip, device } = guesser;
  const doublings = DOUBLINGS[kind];
  if (device !== null) return [{ key: `${kind}:device:${device}`, allowed, doublings }];
  return [
    {
      key: `${kind}:address:${addressGroup(ip)}`,
      allowed: allowed * ADDRESS.share,
      doublings: ADDRESS.doublings,
    },
    ...(account === null ? [] : [{ key: `${kind}:account:${account}`, allowed, doublings }]),
  ];
}

/** An address that has no account is counted like one that has, and not kept readable. */
export const unknownAccount = (email: string) => createHash('sha256').update(email).digest('base64url');
