import { createHash } from 'node:crypto';
import { addressGroup } from '../core/address';

/**
 * Wait times after failed guesses. Waits grow but always end: nobody is locked out for good.
 *
 * A stranger is counted by address and, across addresses, by account. A browser that has signed in to the
 * account before is counted alone: hammering an account slows strangers, not its owner.
 */
export type GuessKind =
  | 'password'
  | 'passkey'
  | 'code'
  | 'confirm'
  | 'device_code'
  | 'link'
  | 'promotion_code';

export interface GuessLimit {
  key: string;
  /** Attempts within a window. */
  allowed: number;
  /** How often the window may double. */
  doublings: number;
}

export interface Guesser {
  /** The account whose secret is guessed; null when unknown. */
  account: string | null;
  ip: string;
  /** The device's own key if it has signed in to this account before. */
  device: string | null;
}

/**
 * Six digits are quickly guessed, so their windows grow to 256 times the first: at the defaults, 10 codes in
 * 21 hours. Guessing them requires knowing the password already. Anyone can guess passwords, so those waits
 * stay bearable.
 */
const DOUBLINGS: Readonly<Record<GuessKind, number>> = {
  password: 3,
  passkey: 3,
  code: 8,
  confirm: 8,
  device_code: 3,
  link: 3,
  promotion_code: 3,
};

/**
 * Many users share an address (an office, a mobile network), so it has a larger allowance and its window
 * grows less.
 */
const ADDRESS = { share: 3, doublings: 2 };

/** In counting order; the first refusal ends it, so that one address can't use up an account's allowance. */
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

/** Unknown addresses are counted like accounts, under a hash, so that they aren't stored in the clear. */
export const unknownAccount = (email: string) => createHash('sha256').update(email).digest('base64url');
