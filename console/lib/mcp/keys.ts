/** The keys of an MCP server from a template, or of the bridge to the user's own server. */

/** Includes the owner's key and those in `MCP_KEYS`. */
export const MAX_MCP_KEYS = 32;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns whether the Compose file's server answers `GET /usage`. */
export const countsKeyUse = (compose: string): boolean => /\bMCP_REQUESTS_PER_MINUTE\b/.test(compose);

/** Returns whether the Compose file's server reads `MCP_KEYS`. */
export const takesFurtherKeys = (compose: string): boolean => /\bMCP_KEYS\b/.test(compose);

/** Returns why a new key's name is invalid; undefined if it is valid. @param taken names in use */
export function keyNameFault(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name.';
  if (!NAME.test(name))
    return 'Use 1 to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit.';
  return name === 'default' || taken.includes(name) ? 'A key with this name already exists.' : undefined;
}

/** Returns a key's entry in `MCP_KEYS`. */
export const keyEntry = (name: string, key: string): string => `${name}:${key}`;
