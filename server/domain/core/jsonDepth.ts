import { asBuffer, endOfString } from './jsonString';

/** Maximum levels of arrays and objects in a request's JSON. Everything that walks a request relies on it. */
export const MAX_JSON_DEPTH = 100;

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...Buffer.from('",[]{}')];
/** 1 for the bytes above. Most bytes are others, and a table lookup is faster than six comparisons. */
const SPECIAL = new Uint8Array(256);
for (const byte of Buffer.from('",[]{}')) SPECIAL[byte] = 1;

/** Parsed, a value takes many times its bytes, and an object even more. */
interface JsonLimits {
  values: number;
  objects: number;
}

/**
 * Returns the exceeded limit of UTF-8 JSON: levels, values or objects; null if none. Scans the bytes once, up
 * to the first excess, without allocating memory.
 */
export function jsonExcess(json: Uint8Array, most: JsonLimits): 'depth' | keyof JsonLimits | null {
  const bytes = asBuffer(json);
  let [depth, values, objects] = [0, 1, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (SPECIAL[byte] === 0) continue;
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      values++;
      if (byte === OPEN_OBJECT) objects++;
      if (depth > MAX_JSON_DEPTH) return 'depth';
      if (objects > most.objects) return 'objects';
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > most.values) return 'values';
  }
  return null;
}

/** Whether UTF-8 JSON nests too deep. */
export const isTooDeep = (json: Uint8Array): boolean =>
  jsonExcess(json, { values: Infinity, objects: Infinity }) === 'depth';
