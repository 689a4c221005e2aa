/** Capitalizes the first letter, for an API term that is shown on its own. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
