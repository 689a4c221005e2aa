import { asBuffer, endOfString } from '../core/jsonString';

/** A member of a JSON object, by its position in the bytes. */
export interface JsonMember {
  name: string;
  /** Position of the name's quotation mark. */
  start: number;
  /** Start and end of the value. */
  value: number;
  end: number;
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d];

/** 1 for bytes that start or end a token. A single table lookup, because it runs for each of up to 32 MiB. */
const SPECIAL = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY]) SPECIAL[byte] = 1;

const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const isOpen = (byte: number | undefined) => byte === OPEN_OBJECT || byte === OPEN_ARRAY;
const isClose = (byte: number | undefined) => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;

/** Returns the members of an object, in order. @param given the bytes of a valid JSON object */
export function membersOf(given: Uint8Array): JsonMember[] {
  const json = asBuffer(given);
  const members: JsonMember[] = [];
  const skip = (at: number) => {
    while (isSpace(json[at])) at++;
    return at;
  };
  let at = skip(skip(0) + 1);
  while (at < json.length && json[at] === QUOTE) {
    const start = at;
    at = endOfString(json, at);
    const name = JSON.parse(json.toString('utf8', start, at)) as string;
    at = skip(at);
    if (json[at] !== COLON) break;
    const value = skip(at + 1);
    const end = endOfValue(json, value);
    members.push({ name, start, value, end });
    at = skip(end);
    if (json[at] === COMMA) at = skip(at + 1);
  }
  return members;
}

/** @returns the position after the value that starts here, excluding trailing white space */
function endOfValue(json: Buffer, at: number): number {
  const first = json[at]!;
  if (first === QUOTE) return endOfString(json, at);
  const start = at;
  if (isOpen(first)) {
    for (let depth = 0; at < json.length; at++) {
      const byte = json[at]!;
      if (SPECIAL[byte] === 0) continue;
      if (byte === QUOTE) at = endOfString(json, at) - 1;
      else if (isOpen(byte)) depth++;
      else if (isClose(byte) && --depth === 0) return at + 1;
    }
    return at;
  }
  while (at < json.length && SPECIAL[json[at]!] === 0) at++;
  while (at > start && isSpace(json[at - 1])) at--;
  return at;
}

/**
 * Returns the name of a member that occurs twice in an object, at any depth; null if there is none. @param
 * given the bytes of valid JSON
 */
export function repeatedMember(given: Uint8Array): string | null {
  const json = asBuffer(given);
  /** Member names of the enclosing objects; null for an array. */
  const around: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let isName = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (names && isName) {
        const name = JSON.parse(json.toString('utf8', at, end)) as string;
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
      at = end - 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      around.push(names);
      names = byte === OPEN_OBJECT ? new Set() : null;
      isName = byte === OPEN_OBJECT;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      names = around.pop() ?? null;
      isName = false;
    } else if (byte === COMMA) isName = names !== null;
  }
  return null;
}

interface JsonEdits {
  /** Member values; missing members are added in front. */
  set: Readonly<Record<string, unknown>>;
  /** Name of a member to leave out with its comma. */
  remove?: string | null;
}

/** Returns the object in parts, with these edits. All other bytes stay unchanged, and are not copied. */
export function editMembers(json: Buffer, { set, remove = null }: JsonEdits): Buffer[] {
  const members = membersOf(json);
  const missing = new Map(Object.entries(set).map(([name, value]) => [name, JSON.stringify(value)]));
  const parts: Buffer[] = [];
  let from = 0;
  /** Emits the bytes before `to` and these bytes, and continues at `next`. */
  const pass = (to: number, bytes: string, next: number) => {
    if (to > from) parts.push(json.subarray(from, to));
    if (bytes !== '') parts.push(Buffer.from(bytes));
    from = next;
  };
  const added = [...missing].filter(([name]) => !members.some((one) => one.name === name));
  const isEmpty = members.every(({ name }) => name === remove);
  const open = json.indexOf('{') + 1;
  const front = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  pass(open, front + (front === '' || isEmpty ? '' : ','), open);
  for (const [index, { name, start, value, end }] of members.entries()) {
    const next = members[index + 1];
    const changed = missing.get(name);
    if (name === remove) pass(next ? start : (members[index - 1]?.end ?? start), '', next?.start ?? end);
    else if (changed !== undefined) pass(value, changed, end);
  }
  pass(json.length, '', json.length);
  return parts;
}
