import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with SHA-1, six digits and 30 seconds, which every authenticator app supports. */
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const STEP_MS = RULES.period * 1000;

/** Steps accepted before and after the current one, for clock drift and slow typing (§5.2). */
const WINDOW = 1;

const totp = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...RULES, ...names, secret: Secret.fromBase32(secret) });

/** 160 random bits in base32, as RFC 4226 §4 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The content of an enrollment's QR code. */
export const otpauthUrl = (secret: string, issuer: string, account: string): string =>
  totp(secret, { issuer, label: account }).toString();

/**
 * Returns the time step a typed code belongs to, or null when it is wrong. The caller checks whether the step
 * was used before.
 */
export function stepOfCode(secret: string, typed: string, now = Date.now()): number | null {
  const token = typed.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totp(secret).validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / STEP_MS) + delta;
}

/** Returns the code of a time step, for tests and for the client side of an enrollment. */
export const codeOfStep = (secret: string, step: number): string =>
  totp(secret).generate({ timestamp: step * STEP_MS });
