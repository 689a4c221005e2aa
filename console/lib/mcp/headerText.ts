const [START, END] = ['=?base64?', '?='] as const;

/** Whether a header can carry a text as it is: visible ASCII, with spaces only inside. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);

/**
 * Returns a text as the protocol's headers carry it, such as `Mcp-Name`: visible ASCII as it is, anything else in
 * Base64 (revision 2026-07-28).
 */
export function toHeaderText(text: string): string {
  const looksCoded = text.startsWith(START) && text.endsWith(END);
  return isHeaderText(text) && !looksCoded ? text : `${START}${Buffer.from(text).toString('base64')}${END}`;
}

/** Returns the text that such a header carries. */
export function fromHeaderText(value: string): string {
  const coded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return coded === undefined ? value : Buffer.from(coded, 'base64').toString('utf8');
}
