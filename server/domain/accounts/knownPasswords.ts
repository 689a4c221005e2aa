import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * Long passwords that head every guessing list, written as `stemOf` leaves them: phrases from comics and
 * manuals, keyboard rows, and the product's names.
 */
const LONG = [
  'correct horse battery staple',
  'correcthorsebatterystaple',
  'correct-horse-battery-staple',
  'hunter2hunter2',
  'iloveyouforever',
  'letmeinplease',
  'opensesame',
  'passphrase',
  'thisisapassword',
  'this is a password',
  'this is my password',
  'thisismypassword',
  'mypassword',
  'my password',
  'newpassword',
  'new password',
  'changemenow',
  'change me now',
  'please change me',
  'administrator',
  'supersecret',
  'super secret',
  'topsecretpassword',
  'trustno1trustno1',
  'qwertyuiopasdfghjkl',
  'qwertzuiopasdfghjkl',
  'azertyuiopqsdfghjklm',
  'qwertyuiopasdfghjklzxcvbnm',
  'asdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv',
  '1q2w3e4r5t6y7u8i9o0p',
  'zaq12wsxcde3',
  'the quick brown fox',
  'thequickbrownfox',
  'to be or not to be',
  'tobeornottobe',
  'maytheforcebewithyou',
  'may the force be with you',
  'lorem ipsum dolor',
  'loremipsumdolor',
  'teehouse',
];

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * The 49,000 most common passwords from published breaches. Loaded at the first check, not at startup: about 20
 * ms once, and 3 MB from then on.
 */
function breached(): Promise<ReadonlySet<string>> {
  list ??= (async () => {
    const file = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json');
    const words = JSON.parse(await readFile(file, 'utf8')) as string[];
    return new Set([...words, ...LONG]);
  })();
  // After a disk error, retry at the next check.
  list.catch(() => (list = undefined));
  return list;
}

/**
 * Strips what users put before and after a word to satisfy a rule: `Password2024!!` is `password`. Null:
 * nothing left.
 */
export function stemOf(password: string): string | null {
  const stem = password.toLowerCase().replace(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, '');
  return stem === '' ? null : stem;
}

/** Whether an attacker tries it early: the list contains it, its stem, or the unit that either repeats. */
export async function isKnownPassword(password: string): Promise<boolean> {
  const known = await breached();
  const stem = stemOf(password);
  const written = [password.toLowerCase(), ...(stem === null ? [] : [stem])];
  return written.some((text) => known.has(text) || known.has(unitOf(text)));
}

/** `passwordpassword` is `password`. */
const unitOf = (text: string) => /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
