/** The API version used by the console and the admin area: the newest, which the generated types describe. */
export const NEWEST_VERSION = '2026-06-23';

export const VERSION_HEADER = 'X-Phala-Version';
