const [START, END] = ['=?base64?', '?='] as const;

/**
 * Returns a text as the protocol's headers carry it, such as `Mcp-Name`: visible ASCII as it is, anything else in
 * Base64 (revision 2026-07-28).
 */
export function toHeaderText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  const looksCoded = text.startsWith(START) && text.endsWith(END);
  return isPlain && !looksCoded ? text : `${START}${Buffer.from(text).toString('base64')}${END}`;
}

/** Returns the text that such a header carries. */
export function fromHeaderText(value: string): string {
  const coded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return coded === undefined ? value : Buffer.from(coded, 'base64').toString('utf8');
}
