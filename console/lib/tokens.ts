/** api and cli act for a person in a team; ses is a session, dev a device code, lnk a mailed link, inv an invitation, psi a sign-in that waits. */
const TOKEN_TYPES = ['api', 'cli', 'ses', 'dev', 'lnk', 'inv', 'psi'] as const;

/**
 * Tokens look like `thk_<type>_<random><checksum>`: a brand for secret scanners, a type for people, 32 random
 * base62 characters (190 bits) and 6 of checksum, so that a typo is refused without touching the database.
 */
export type TokenType = (typeof TOKEN_TYPES)[number];

/** What secret scanners look for: every credential this product writes, in the syntax RE2, PCRE and JavaScript share. */
export const TOKEN_PATTERN = `\\bthk_(?:${TOKEN_TYPES.join('|')})_[0-9A-Za-z]{38}\\b`;
