import { hash, verify } from '@node-rs/argon2';
import { isKnownPassword, stemOf } from './knownPasswords';

/** Minimum password length; also the document's minLength. */
const PASSWORD_MIN = 10;
const PASSWORD_MAX = 200;

/**
 * Argon2id (the library's default algorithm) with OWASP's first recommended setting: about 11 ms, 19 MiB per
 * guess.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Returns why a password can't be chosen, or null. Length and absence from guessing lists resist guessing;
 * character classes aren't required (NIST SP 800-63B-4 §3.1.1.2).
 */
export async function passwordProblem(given: string, email: string): Promise<string | null> {
  const password = normal(given);
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `Use at most ${PASSWORD_MAX} characters.`;
  if (new Set(password).size < 4) return 'Use more than three different characters.';
  if (isSequence(password)) return "Don't use keyboard or alphabet sequences.";
  if (isOfEmail(password, email)) return "Don't use your email address or part of it.";
  if (await isKnownPassword(password)) return 'This password appears in known data breaches. Choose another.';
  return null;
}

/** Normalizes to NFKC, so that the same password matches from any keyboard. */
const normal = (password: string) => password.normalize('NFKC');

function isSequence(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) => codes.every((code, i) => i === 0 || code - (codes[i - 1] ?? 0) === step));
}

/** The address, its local part or domain, its words, and any of them surrounded by digits. */
function isOfEmail(password: string, email: string): boolean {
  const address = normal(email).toLowerCase();
  const [local = '', domain = ''] = address.split('@');
  const name = domain.replace(/\.[^.]*$/, '');
  const parts = new Set([
    address,
    local,
    domain,
    name,
    `${local}@${name}`,
    ...local.split(/[^\p{L}\p{N}]+/u),
  ]);
  parts.add(local.replace(/[^\p{L}\p{N}]+/gu, ''));
  const stems = new Set([...parts].map((part) => stemOf(part)));
  return parts.has(password.toLowerCase()) || stems.has(stemOf(password) ?? '');
}

export const hashPassword = (password: string): Promise<string> => hash(normal(password), COST);

/** Whether a stored hash uses outdated parameters; the next sign-in then replaces it. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = COST;
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

let decoy: Promise<string> | undefined;

/**
 * `stored: null` takes the same time and returns false, so that timing doesn't reveal whether an account
 * exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(stored ?? (await decoy), normal(password));
  return stored !== null && matches;
}
