// The guest's rules for a decrypted environment. A violation there aborts the boot minutes after the user
// clicked Deploy, so the same rules run here, before encryption.

import { hasLoneSurrogate, utf8Length } from '../bytes';

export interface EnvPair {
  key: string;
  value: string;
}

export const ENV_LIMITS = {
  items: 1024,
  key_bytes: 255,
  value_bytes: 128 * 1024,
  total_bytes: 1024 * 1024,
  /** Size of the encrypted environment as the guest reads it (bytes, not hex digits). */
  blob_bytes: 256 * 1024,
} as const;

/** Ephemeral key 32 + IV 12 + tag 16. */
const SEAL_OVERHEAD_BYTES = 60;

export type EnvProblemCode =
  | 'env_too_many_items'
  | 'env_key_empty'
  | 'env_key_invalid'
  | 'env_key_too_long'
  | 'env_value_too_long'
  | 'env_value_nul'
  | 'env_value_not_unicode'
  | 'env_total_too_long'
  | 'env_blob_too_long'
  | 'env_key_duplicate'
  | 'env_value_backslash';

/** Messages name keys and sizes, never values. */
export interface EnvProblem {
  severity: 'error' | 'warning';
  code: EnvProblemCode;
  message: string;
  /** Index in the given list; absent if the whole list is the problem. */
  index?: number;
  key?: string;
}

const KEY_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The plaintext to encrypt: key order is part of the format, so it is built in one place. */
export function envPlaintext(env: readonly EnvPair[]): string {
  return JSON.stringify({ env: env.map(({ key, value }) => ({ key, value })) });
}

/**
 * Returns all problems of an environment in list order, whole-list problems last. Errors would stop the guest
 * from booting; warnings wouldn't, but would surprise the user.
 */
export function validateEnv(pairs: readonly EnvPair[]): EnvProblem[] {
  const problems: EnvProblem[] = [];
  const lastIndex = new Map<string, number>();
  pairs.forEach((pair, index) => lastIndex.set(pair.key, index));

  let total = 0;
  pairs.forEach(({ key, value }, index) => {
    const add = (severity: EnvProblem['severity'], code: EnvProblemCode, message: string) =>
      problems.push({ severity, code, message, index, key });
    const keyBytes = utf8Length(key);
    const valueBytes = utf8Length(value);
    total += keyBytes + valueBytes;

    if (key === '') add('error', 'env_key_empty', 'A variable has no name.');
    else if (!KEY_PATTERN.test(key))
      add(
        'error',
        'env_key_invalid',
        'Names may contain only letters, digits and _ and can’t start with a digit.',
      );
    else if (keyBytes > ENV_LIMITS.key_bytes)
      add(
        'error',
        'env_key_too_long',
        `The name is ${keyBytes} bytes long; the limit is ${ENV_LIMITS.key_bytes}.`,
      );

    if (valueBytes > ENV_LIMITS.value_bytes)
      add(
        'error',
        'env_value_too_long',
        `The value of ${key} is ${valueBytes} bytes long; the limit is ${ENV_LIMITS.value_bytes}.`,
      );
    if (value.includes('\0'))
      add(
        'error',
        'env_value_nul',
        `The value of ${key} contains a NUL character, which environment variables don’t support.`,
      );
    if (hasLoneSurrogate(value))
      add('error', 'env_value_not_unicode', `The value of ${key} contains an unpaired surrogate.`);
    if (key !== '' && lastIndex.get(key) !== index)
      add('warning', 'env_key_duplicate', `${key} is set again below; the last value applies.`);
    if (value.includes('\\'))
      add(
        'warning',
        'env_value_backslash',
        `The value of ${key} contains a backslash. Guest images don’t escape it in the file they pass to docker compose, which may change the value.`,
      );
  });

  const whole = (code: EnvProblemCode, message: string) =>
    problems.push({ severity: 'error', code, message });
  if (pairs.length > ENV_LIMITS.items)
    whole('env_too_many_items', `There are ${pairs.length} variables; the limit is ${ENV_LIMITS.items}.`);
  if (total > ENV_LIMITS.total_bytes)
    whole(
      'env_total_too_long',
      `Names and values total ${total} bytes; the limit is ${ENV_LIMITS.total_bytes}.`,
    );
  const blob = utf8Length(envPlaintext(pairs)) + SEAL_OVERHEAD_BYTES;
  if (blob > ENV_LIMITS.blob_bytes)
    whole(
      'env_blob_too_long',
      `The encrypted environment would be ${blob} bytes; the guest accepts ${ENV_LIMITS.blob_bytes}.`,
    );
  return problems;
}
