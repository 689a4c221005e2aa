/** A value of a `jsonb` column. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** How JSON writes what `jsonb` refuses: NUL, and lone surrogates, such as those left by truncation. */
const REFUSED = /\\u(?:0000|d[89a-f])/;

/**
 * Returns the text of a `jsonb` value, with characters replaced that PostgreSQL can't store. Hosts, containers
 * and other servers choose many of these texts, and none may keep an operation from recording its end.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return REFUSED.test(text) ? JSON.stringify(value, storable) : text;
}

const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\ufffd') : value;
