const [QUOTE, BACKSLASH] = [...Buffer.from('"\\')];

/** Bytes checked individually before the native search, which costs about as much as some of them. */
const NEAR = 64;

/**
 * Returns the position after the string that starts here, or one past the end of the bytes if it doesn't end.
 * Long strings, such as base64 images, are searched natively, and each byte is visited a constant number of
 * times.
 * @param json the bytes of JSON
 * @param at of the opening quotation mark
 */
export function endOfString(json: Buffer, at: number): number {
  let from = at + 1;
  for (;;) {
    const near = Math.min(from + NEAR, json.length);
    for (; from < near; from++) {
      const byte = json[from];
      if (byte === QUOTE) return from + 1;
      // Skips the escaped byte, which ends nothing.
      if (byte === BACKSLASH) from++;
    }
    if (from >= json.length) return json.length + 1;
    const quote = json.indexOf(QUOTE!, from);
    if (quote < 0) return json.length + 1;
    let first = quote;
    while (first > from && json[first - 1] === BACKSLASH) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** The same bytes as a `Buffer`, without a copy. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
