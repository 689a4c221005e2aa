/** A value of a `jsonb` column. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** How JSON writes what `jsonb` refuses: a NUL, and half of a character, such as the end of a text that was cut. */
const REFUSED = /\\u(?:0000|d[89a-f])/;

/**
 * Returns the text of a `jsonb` value. What PostgreSQL can't store is replaced: hosts, containers and other servers choose
 * many of these texts, and none of them may keep an operation from recording how it ended.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return REFUSED.test(text) ? JSON.stringify(value, storable) : text;
}

const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\ufffd') : value;
