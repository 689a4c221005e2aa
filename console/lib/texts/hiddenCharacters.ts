/**
 * Finds characters that hide or reorder text, and emoji joined to one picture (a family, a profession) by a hidden
 * character that does neither.
 */
const HIDDEN_OR_JOINED =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)+|(?![\t\n\r])\p{C}/gu;

/** Replaces each character that hides or reorders text, except line breaks, tabs and those inside an emoji. */
export const replaceHidden = (text: string, mark: string): string =>
  text.replaceAll(HIDDEN_OR_JOINED, (found) => (found.length > 2 ? found : mark));
