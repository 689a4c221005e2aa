/** Reads untrusted YAML within limits, and writes YAML that every Compose version reads to the same bytes. */
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node } from 'yaml';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { parseYaml, TooDeep } from '../../../console/lib/compose/parse';

/** Numbers and booleans keep their source text: `1.0` in an environment is "1.0". */
export type Yaml = string | null | Yaml[] | YamlMap;
/** Has no prototype, so `__proto__` is an ordinary key. */
export interface YamlMap {
  [key: string]: Yaml;
}

/** Shown to users as boot_error, with the location and the reason. */
export class ComposeError extends Error {}

const MAX_BYTES = 1024 * 1024;
/** Limit on nodes after alias expansion, against "billion laughs". */
const MAX_NODES = 50_000;
const MAX_DEPTH = 40;

export function emptyMap(): YamlMap {
  return Object.create(null) as YamlMap;
}

export function isYamlMap(value: Yaml | undefined): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws {ComposeError} with line and column for a syntax error. */
export function readYaml(text: string): Yaml {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new ComposeError(`the Compose file is larger than ${MAX_BYTES / 1024} KiB`);
  }
  const lines = new LineCounter();
  const document = documentOf(text, lines);
  const [error] = document.errors;
  if (error) {
    const at = lines.linePos(error.pos[0]);
    throw new ComposeError(`the Compose file is not valid YAML, line ${at.line}:${at.col}: ${error.message}`);
  }
  const follow = bindAliases(document.contents);
  let budget = MAX_NODES;
  const walk = (node: unknown, depth: number): Yaml => {
    if (--budget < 0) throw new ComposeError(`the Compose file expands to more than ${MAX_NODES} values`);
    if (depth > MAX_DEPTH)
      throw new ComposeError(`the Compose file is nested deeper than ${MAX_DEPTH} levels`);
    const target = follow(node);
    if (isScalar(target)) {
      if (target.value === null) return null;
      return typeof target.value === 'string' ? target.value : (target.source ?? String(target.value));
    }
    if (isSeq(target)) return target.items.map((item) => walk(item, depth + 1));
    if (isMap(target)) {
      const map = emptyMap();
      const merged: unknown[] = [];
      for (const pair of target.items) {
        const key = isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : undefined;
        if (key === undefined) throw new ComposeError('the Compose file has a key that isn’t a plain scalar');
        if (key === '<<') merged.push(pair.value);
        else if (key in map)
          throw new ComposeError(`the Compose file is not valid YAML: duplicate key "${cutWhole(key, 80)}"`);
        else map[key] = walk(pair.value, depth + 1);
      }
      for (const source of merged) merge(map, walk(source, depth + 1));
      return map;
    }
    return null;
  };
  return walk(document.contents, 0);
}

function documentOf(text: string, lineCounter: LineCounter): ReturnType<typeof parseYaml> {
  try {
    return parseYaml(text, { lineCounter, merge: true });
  } catch (error) {
    if (error instanceof TooDeep)
      throw new ComposeError('the Compose file is nested more than 200 levels deep');
    throw error;
  }
}

/** Walks in document order: an alias refers to the last anchor of its name above it. */
function bindAliases(root: unknown): (node: unknown) => unknown {
  const anchors = new Map<string, Node>();
  const bound = new Map<unknown, Node>();
  // A stack instead of recursion, pushed in reverse to pop in document order.
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) continue;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) throw new ComposeError(`the Compose file uses an unknown anchor *${node.source}`);
      bound.set(node, target);
      continue;
    }
    if (node.anchor) anchors.set(node.anchor, node);
    if (isSeq(node)) for (let i = node.items.length - 1; i >= 0; i--) open.push(node.items[i]);
    else if (isMap(node))
      for (let i = node.items.length - 1; i >= 0; i--) open.push(node.items[i]?.value, node.items[i]?.key);
  }
  return (node) => bound.get(node) ?? node;
}

/** YAML 1.1 merge: existing keys win, and earlier sources win over later ones. */
function merge(into: YamlMap, source: Yaml): void {
  for (const one of Array.isArray(source) ? source : [source]) {
    if (!isYamlMap(one)) throw new ComposeError('"<<" in the Compose file can merge only mappings');
    for (const [key, value] of Object.entries(one)) if (!(key in into)) into[key] = value;
  }
}

export type Out = string | number | boolean | null | Out[] | { [key: string]: Out };

/**
 * Returns one-line YAML in printable ASCII. Doubles `$` because Compose interpolates, and escapes everything
 * else that any YAML version treats specially (NEL, U+2028, DEL, non-BMP), which JSON.stringify doesn't.
 */
export function writeYaml(value: Out): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(writeYaml).join(',')}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${quote(key, false)}: ${writeYaml(item)}`);
  return `{${pairs.join(',')}}`;
}

/**
 * One pass into a buffer: a value may have millions of characters, and `replace` takes a second for as many
 * matches.
 */
function quote(text: string, interpolated = true): string {
  // At most `\uXXXX` per UTF-16 unit; a pair takes `\UXXXXXXXX`.
  const out = Buffer.allocUnsafe(text.length * 6 + 2);
  let at = out.write('"', 'latin1');
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    if (code === 0x22 || code === 0x5c) out[at++] = 0x5c;
    else if (code === 0x24 && interpolated) out[at++] = code;
    if (code >= 0x20 && code < 0x7f) {
      out[at++] = code;
      continue;
    }
    const long = code > 0xffff;
    if (long) index++;
    out[at++] = 0x5c;
    out[at++] = long ? 0x55 : 0x75;
    for (let shift = long ? 28 : 12; shift >= 0; shift -= 4)
      out[at++] = '0123456789abcdef'.charCodeAt((code >>> shift) & 15);
  }
  out[at++] = 0x22;
  return out.toString('latin1', 0, at);
}
