/** Reading a stranger's YAML within bounds, and writing YAML that every compose version reads to the same bytes. */
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';

/** Numbers and booleans keep the letters they were written with: `1.0` in an environment is "1.0". */
export type Yaml = string | null | Yaml[] | YamlMap;
/** Has no prototype, so that a key such as `__proto__` is only a key. */
export interface YamlMap {
  [key: string]: Yaml;
}

/** What a person reads as boot_error: names the place and the reason. */
export class ComposeError extends Error {}

const MAX_BYTES = 1024 * 1024;
/** Nodes after aliases are expanded: bounds "billion laughs". */
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
    throw new ComposeError(`the compose file is larger than ${MAX_BYTES / 1024} KiB`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    // Quadratic in the package, as is its following of aliases: both are done here in linear time.
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error) {
    const at = lines.linePos(error.pos[0]);
    throw new ComposeError(`the compose file is not valid YAML, line ${at.line}:${at.col}: ${error.message}`);
  }
  const follow = bindAliases(document.contents);
  let budget = MAX_NODES;
  const walk = (node: unknown, depth: number): Yaml => {
    if (--budget < 0) throw new ComposeError(`the compose file expands to more than ${MAX_NODES} values`);
    if (depth > MAX_DEPTH)
      throw new ComposeError(`the compose file is nested deeper than ${MAX_DEPTH} levels`);
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
        if (key === undefined) throw new ComposeError('the compose file has a key that is not a plain name');
        if (key === '<<') merged.push(pair.value);
        else if (key in map)
          throw new ComposeError(
            `the compose file is not valid YAML: "${key.slice(0, 80)}" is twice in one mapping`,
          );
        else map[key] = walk(pair.value, depth + 1);
      }
      for (const source of merged) merge(map, walk(source, depth + 1));
      return map;
    }
    return null;
  };
  return walk(document.contents, 0);
}

/** One walk in document order: an alias stands for the last anchor of its name above it. */
function bindAliases(root: unknown): (node: unknown) => unknown {
  const anchors = new Map<string, Node>();
  const bound = new Map<unknown, Node>();
  // A stack and not recursion; pushed backwards, so that it is taken in the order of the document.
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) continue;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) throw new ComposeError(`the compose file uses an unknown anchor *${node.source}`);
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

/** YAML 1.1 merge: keys already there win, earlier sources win over later ones. */
function merge(into: YamlMap, source: Yaml): void {
  for (const one of Array.isArray(source) ? source : [source]) {
    if (!isYamlMap(one))
      throw new ComposeError('"<<" in the compose file merges something that is not a mapping');
    for (const [key, value] of Object.entries(one)) if (!(key in into)) into[key] = value;
  }
}

export type Out = string | number | boolean | null | Out[] | { [key: string]: Out };

/**
 * One-line YAML in printable ASCII. `$` is doubled because compose interpolates; everything else that any YAML version treats
 * specially (NEL, U+2028, DEL, non-BMP) is escaped, which JSON.stringify would not do.
 */
export function writeYaml(value: Out): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(writeYaml).join(',')}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${quote(key, false)}: ${writeYaml(item)}`);
  return `{${pairs.join(',')}}`;
}

function quote(text: string, interpolated = true): string {
  let out = '"';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '"' || char === '\\') out += `\\${char}`;
    else if (char === '$' && interpolated) out += '$$';
    else if (code >= 0x20 && code < 0x7f) out += char;
    else if (code > 0xffff) out += `\\U${code.toString(16).padStart(8, '0')}`;
    else out += `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return `${out}"`;
}
