// Parses untrusted JSON with a limit on nesting: `JSON.parse` accepts any depth, but code that walks or
// serializes the value recurses and overflows the stack after a few thousand levels.

/** Real evidence has fewer than ten levels. */
const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN: readonly number[] = [0x5b, 0x7b];
const CLOSE: readonly number[] = [0x5d, 0x7d];

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPEN.includes(code)) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (CLOSE.includes(code)) depth--;
  }
  return false;
}

/** Returns the parsed value or a `fault` that completes "The file …". */
export function readJson(text: string): { value: unknown } | { fault: string } {
  if (isTooDeep(text)) return { fault: `is nested more than ${MAX_JSON_DEPTH} levels deep` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'is not JSON' };
  }
}
