import { hash, verify } from '@node-rs/argon2';
import { isKnownPassword, stemOf } from './knownPasswords';

/** Shortest password a person may choose; also the document's minLength. */
export const PASSWORD_MIN = 10;
const PASSWORD_MAX = 200;

/** Argon2id (the library's default algorithm) at OWASP's first recommended setting: some 11 ms, 19 MiB per guess. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Why a password cannot be chosen, or null. Length is what resists guessing, and not being on the guesser's list;
 * character classes are not asked for (NIST SP 800-63B-4 §3.1.1.2).
 */
export async function passwordProblem(given: string, email: string): Promise<string | null> {
  const password = normal(given);
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `Use at most ${PASSWORD_MAX} characters.`;
  if (new Set(password).size < 4) return 'Use more than three different characters.';
  if (isSequence(password))
    return 'Do not use characters that follow one another, as on the keyboard or in the alphabet.';
  if (isOfEmail(password, email)) return 'Do not use your e-mail address or a part of it.';
  if (await isKnownPassword(password))
    return 'This password is on public lists of stolen passwords, so it is among the first that are tried. Choose another.';
  return null;
}

/** The same password typed on two keyboards is the same, and ½-width letters are letters (Unicode NFKC). */
const normal = (password: string) => password.normalize('NFKC');

function isSequence(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) => codes.every((code, i) => i === 0 || code - (codes[i - 1] ?? 0) === step));
}

/** The address, what stands before or behind its @, its words, and any of them with digits around it. */
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

/** Whether a stored hash was made with other parameters than today's: then the next sign-in makes it anew. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = COST;
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

let decoy: Promise<string> | undefined;

/** `stored: null` takes as long and is false: how long a refusal takes must not tell whether an account exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(stored ?? (await decoy), normal(password));
  return stored !== null && matches;
}
