/** Inputs that aren't typed in, or whose value is quickly typed again from elsewhere. */
const NOT_KEPT = ['button', 'checkbox', 'color', 'file', 'password', 'radio', 'range', 'search', 'submit'];

/** An input or text area, as far as it matters here. */
export interface TextField {
  readonly tagName: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly isConnected: boolean;
}

/** Whether the target of an input event is a field whose text would be missed. */
export function isTextField(target: object): target is TextField {
  if (!('tagName' in target)) return false;
  if (target.tagName === 'TEXTAREA') return true;
  if (target.tagName !== 'INPUT') return false;
  const { type, autocomplete } = target as TextField;
  return !NOT_KEPT.includes(type) && autocomplete !== 'one-time-code';
}

/**
 * Whether a field that was typed in is still shown with text, which closing it would discard. A disabled field's text is
 * already in use, as an amount is that a wallet sends.
 */
export const holdsText = (fields: Iterable<TextField>): boolean =>
  [...fields].some(({ isConnected, disabled, value }) => isConnected && !disabled && value.trim() !== '');
