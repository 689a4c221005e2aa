import { hash, verify } from '@node-rs/argon2';

/** Shortest password a person may choose; also the document's minLength. */
export const PASSWORD_MIN = 10;
const PASSWORD_MAX = 200;

/** Argon2id (the library's default algorithm) at OWASP's first recommended setting: some 11 ms, 19 MiB per guess. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Why a password cannot be chosen, or null. Length is what resists guessing; character classes are not asked for. */
export function passwordProblem(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `Use at most ${PASSWORD_MAX} characters.`;
  if (new Set(password).size < 4) return 'Use more than three different characters.';
  if (password.toLowerCase() === email.toLowerCase()) return 'Do not use the e-mail address.';
  return null;
}

/** RFC 8265 §4.2: the same password typed on two keyboards is the same after NFC. */
const prepared = (password: string) => password.normalize('NFC');

export const hashPassword = (password: string): Promise<string> => hash(prepared(password), COST);

let decoy: Promise<string> | undefined;

/** `stored: null` takes as long and is false: how long a refusal takes must not tell whether an account exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(stored ?? (await decoy), prepared(password));
  return stored !== null && matches;
}
