/** A token of the built-in model: a word, or one other character, with the preceding white space. */
const TOKEN = /\s*(?:[\p{L}\p{M}\p{N}_]+|[^\s])|\s+$/gu;

export const echoTokens = (text: string): string[] => text.match(TOKEN) ?? [];
