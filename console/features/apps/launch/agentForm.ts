/** Variables that the generated Compose file sets. */
const TAKEN = ['CHARACTER', 'SERVER_PORT'];

/** Returns the names as typed, in any number of lines. */
export const secretNames = (typed: string): string[] => typed.split(/[\s,]+/).filter(Boolean);

/**
 * Returns what is wrong with the secrets' names; undefined if nothing is.
 * @param set names of variables that the platform's models set
 */
export function secretsFault(names: readonly string[], set: readonly string[]): string | undefined {
  const invalid = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (invalid !== undefined) return `“${invalid}” isn’t a valid variable name.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${twice} is listed twice.`;
  const taken = names.find((name) => TAKEN.includes(name) || set.includes(name));
  return taken === undefined ? undefined : `${taken} is already set. Remove it from the list.`;
}
