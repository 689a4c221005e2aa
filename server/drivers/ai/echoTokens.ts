/** A token of the built-in model: a word, or one other character, with the white space before it. */
const TOKEN = /\s*(?:[\p{L}\p{M}\p{N}_]+|[^\s])|\s+$/gu;

export const echoTokens = (text: string): string[] => text.match(TOKEN) ?? [];
