/** Marks characters that hide or reorder what is around them: others chose the text, and readers must see what it says. */
export const visibleText = (text: string): string => text.replaceAll(/(?![\t\n\r])\p{C}/gu, '\ufffd');
