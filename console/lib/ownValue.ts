/**
 * Returns the record's own value under `key`, never one inherited from Object.prototype: a caller's
 * `constructor` or `__proto__` is treated like any unknown key. `npm run check` (own keys) requires this for
 * keys of type string.
 */
export function ownValue<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
