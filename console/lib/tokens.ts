/**
 * api and cli act for a user in a team; ses is a session, dev a device code, lnk an emailed link, inv an invitation,
 * psi a pending sign-in, ai a team's AI gateway key, aig a gateway itself, kms the token in a KMS's webhook URL,
 * scim a team's identity provider.
 */
const TOKEN_TYPES = ['api', 'cli', 'ses', 'dev', 'lnk', 'inv', 'psi', 'ai', 'aig', 'kms', 'scim'] as const;

/**
 * Tokens have the form `thk_<type>_<random><checksum>`: a brand for secret scanners, a readable type, 32 random
 * base62 characters (190 bits) and a checksum of 6, so that a typo is rejected without querying the database.
 */
export type TokenType = (typeof TOKEN_TYPES)[number];

/**
 * Pattern for secret scanners: matches every credential of this product, in syntax shared by RE2, PCRE and
 * JavaScript.
 */
export const TOKEN_PATTERN = `\\bthk_(?:${TOKEN_TYPES.join('|')})_[0-9A-Za-z]{38}\\b`;
