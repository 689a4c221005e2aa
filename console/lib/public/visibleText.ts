import { replaceHidden } from '../texts/hiddenCharacters';

/**
 * Replaces characters that hide or reorder text with a mark, because the text is untrusted and readers must see
 * what it says.
 */
export const visibleText = (text: string): string => replaceHidden(text, '\ufffd');
