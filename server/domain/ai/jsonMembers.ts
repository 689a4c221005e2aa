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
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];
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
