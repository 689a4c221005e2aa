/** Values of `MCP_KEYS` that servers must reject at startup, in addition to the owner's key `KEY`. */

const SECRET = 'secret0123456789';
const further = (count: number) =>
  Array.from({ length: count }, (_, i) => `client-${i}:${SECRET}-${i}`).join(',');

/** The maximum in addition to the owner's key. */
export const MAX_KEYS = further(31);

/** Part of every rejected value, so that tests can look for it in the message. */
export const SECRET_PART = 'secret';

/** By fault: the value and the expected message. */
export const refusedLists = (ownerKey: string): readonly (readonly [string, string, string])[] => [
  ['no name', SECRET, 'Entry 1 of MCP_KEYS must be written as name:key'],
  ['an empty name', `:${SECRET}`, 'Entry 1 of MCP_KEYS needs a name'],
  ['a name with a space', `a:${SECRET},alice ${SECRET}:x`, 'Entry 2 of MCP_KEYS must be written'],
  ['a name with other letters', `secrét:${SECRET}`, 'Entry 1 of MCP_KEYS needs a name'],
  ['a name of a prototype', `__proto__:${SECRET}`, 'Entry 1 of MCP_KEYS needs a name'],
  ['a name that is too long', `${'n'.repeat(65)}:${SECRET}`, 'Entry 1 of MCP_KEYS needs a name'],
  ['name and key the wrong way round', `secret+0123456789abc:alice`, 'Entry 1 of MCP_KEYS needs a name'],
  ['a short key', 'alice:secret012345678', 'Entry 1 of MCP_KEYS needs a key'],
  ['a long key', `alice:${'secret'.repeat(100)}`, 'Entry 1 of MCP_KEYS needs a key'],
  ['a key with a colon', `alice:${SECRET}:${SECRET}`, 'Entry 1 of MCP_KEYS needs a key'],
  ['a key with a quote', `alice:"${SECRET}"`, 'Entry 1 of MCP_KEYS needs a key'],
  ['a name twice', `a:${SECRET}1,b:${SECRET}2,a:${SECRET}3`, 'Entry 3 of MCP_KEYS has the name'],
  ['the owner’s name', `default:${SECRET}`, 'Entry 1 of MCP_KEYS can’t have the name of MCP_KEY'],
  ['a key twice', `a:${SECRET},b:${SECRET}`, 'Entry 2 of MCP_KEYS has the key'],
  ['the owner’s key', `secret:${ownerKey}`, 'Entry 1 of MCP_KEYS has the key'],
  ['too many keys', further(32), 'MCP_KEYS can have 31 keys, and has 32'],
];
