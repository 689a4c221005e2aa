/** Control characters except line breaks and tabs, lone surrogates, and characters that XML doesn't allow. */
const CONTROL = /[^\P{Cc}\t\n\r]|[\p{Cs}\ufffe\uffff]/u;
/**
 * These show a text in another order than stored. Marks that affect a single character, as in Arabic names,
 * stay.
 */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** Returns why a text can't be printed on an invoice or shown to another team; null if it can. */
export function textFault(text: string): string | null {
  if (CONTROL.test(text)) return 'Remove the control characters.';
  if (BIDI.test(text)) return 'Remove the characters that change the direction of the text.';
  return VISIBLE.test(text) ? null : 'Enter at least one visible character.';
}
