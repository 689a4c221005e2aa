/** The keys of an MCP server that a template or the bridge of one's own server serves. */

/** The owner's key and those in `MCP_KEYS`. */
export const MAX_MCP_KEYS = 32;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns whether the Compose file is that of a server which answers `GET /usage`. */
export const countsKeyUse = (compose: string): boolean => /\bMCP_REQUESTS_PER_MINUTE\b/.test(compose);

/** Returns whether the Compose file is that of a server which reads `MCP_KEYS`. */
export const takesFurtherKeys = (compose: string): boolean => /\bMCP_KEYS\b/.test(compose);

/** Returns what is wrong with the name of a new key; undefined if it can be used. @param taken names that exist */
export function keyNameFault(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name.';
  if (!NAME.test(name))
    return 'Use 1 to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit.';
  return name === 'default' || taken.includes(name) ? 'There is a key with this name.' : undefined;
}

/** Returns the entry of `MCP_KEYS` for a key. */
export const keyEntry = (name: string, key: string): string => `${name}:${key}`;
