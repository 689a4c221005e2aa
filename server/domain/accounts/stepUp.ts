/** How long a sign-in or step-up counts as recent confirmation, in seconds. */
export const CONFIRMED_SECONDS = 15 * 60;
