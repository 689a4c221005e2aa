/** How long a sign-in or a confirmation counts as "the person is there". */
export const CONFIRMED_SECONDS = 15 * 60;
