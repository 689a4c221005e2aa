/** A folder on the host followed by more of its path, but not part of a URL. */
const PATH = /(?<![\w:/.-])(?:\/[\w@%+=~.-]+)+\/([\w@%+=~.-]+)\/?/g;

/**
 * A host's text as tenants may read it: paths on the host are shortened to their last part, and addresses of
 * its own network are omitted.
 */
export const withoutHostPaths = (text: string): string =>
  text.replace(PATH, '…/$1').replace(/\bhttps?:\/\/[^\s)"'`]+/g, 'a local address');
