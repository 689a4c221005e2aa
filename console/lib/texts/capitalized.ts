/** Returns the text with a capital first letter: a word of the API as a value of its own. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
