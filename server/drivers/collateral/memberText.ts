/**
 * Returns the exact text of one object in a JSON object: Intel signed the text itself, so it must not be parsed and
 * serialized again. Null if `json` isn't JSON or has no such object.
 */
export function memberText(json: string, member: string): string | null {
  let whole: unknown;
  try {
    whole = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return null;
  for (const { key, from, to } of members(json))
    if (key === member) return json[from] === '{' ? json.slice(from, to) : null;
  return null;
}

/** Finds the members of the outermost object in valid JSON. */
function* members(json: string): Generator<{ key: string; from: number; to: number }> {
  let depth = 0;
  let key = '';
  let from = -1;
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && from < 0) key = JSON.parse(json.slice(at, end)) as string;
      at = end - 1;
    } else if (character === '{' || character === '[') depth++;
    else if (character === ':' && depth === 1 && from < 0) {
      from = at + 1;
      while (/\s/.test(json[from] ?? '')) from++;
      at = from - 1;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0 && from >= 0) yield { key, from, to: json.slice(0, at).trimEnd().length };
    } else if (character === ',' && depth === 1) {
      yield { key, from, to: json.slice(0, at).trimEnd().length };
      from = -1;
    }
  }
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
