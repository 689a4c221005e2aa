/** A member of a JSON object, by its place in the bytes. */
export interface JsonMember {
  name: string;
  /** Of the name's quotation mark. */
  start: number;
  /** Of the value, and after it. */
  value: number;
  end: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d];
const OPEN = [OPEN_OBJECT, OPEN_ARRAY];
const CLOSE = [CLOSE_OBJECT, CLOSE_ARRAY];
const SPACE = [0x20, 0x09, 0x0a, 0x0d];

/** Returns the members of an object, in order. @param json the bytes of a valid JSON object */
export function membersOf(json: Uint8Array): JsonMember[] {
  const members: JsonMember[] = [];
  const skip = (at: number) => {
    while (SPACE.includes(json[at] ?? 0)) at++;
    return at;
  };
  let at = skip(skip(0) + 1);
  while (at < json.length && json[at] === QUOTE) {
    const start = at;
    at = endOfString(json, at);
    const name = JSON.parse(Buffer.from(json.subarray(start, at)).toString('utf8')) as string;
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

/** @returns the place after the string that starts here */
function endOfString(json: Uint8Array, at: number): number {
  for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
  return at + 1;
}

function endOfValue(json: Uint8Array, at: number): number {
  let depth = 0;
  let end = at;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      end = at = endOfString(json, at);
      if (depth === 0) return end;
      continue;
    }
    if (depth === 0 && (byte === COMMA || CLOSE.includes(byte))) return end;
    if (OPEN.includes(byte)) depth++;
    else if (CLOSE.includes(byte) && --depth === 0) return at + 1;
    if (!SPACE.includes(byte)) end = at + 1;
    at++;
  }
  return end;
}

/** Returns the name of a member that an object has twice, however deep; null if none has. @param json the bytes of valid JSON */
export function repeatedMember(json: Uint8Array): string | null {
  /** Names of the objects around a place; null for an array. */
  const around: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let isName = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (names && isName) {
        const name = JSON.parse(Buffer.from(json.subarray(at, end)).toString('utf8')) as string;
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

/** Returns the object with these values, added in front where missing. Every other byte stays as it was. */
export function withMembers(json: Buffer, values: Readonly<Record<string, unknown>>): Buffer {
  const members = membersOf(json);
  const missing = new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { name, value, end } of members) {
    const next = missing.get(name);
    if (next === undefined) continue;
    missing.delete(name);
    parts.push(json.subarray(from, value), Buffer.from(next));
    from = end;
  }
  const changed = Buffer.concat([...parts, json.subarray(from)]);
  if (missing.size === 0) return changed;
  const added = [...missing].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const open = changed.indexOf('{') + 1;
  return Buffer.concat([
    changed.subarray(0, open),
    Buffer.from(added.join(',') + (members.length > 0 ? ',' : '')),
    changed.subarray(open),
  ]);
}

/** Returns the object without a member and its comma. */
export function withoutMember(json: Buffer, name: string): Buffer {
  const members = membersOf(json);
  const index = members.findIndex((one) => one.name === name);
  const member = members[index];
  if (!member) return json;
  const next = members[index + 1];
  const from = next ? member.start : (members[index - 1]?.end ?? member.start);
  return Buffer.concat([json.subarray(0, from), json.subarray(next?.start ?? member.end)]);
}
