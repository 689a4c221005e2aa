// A compose file as YAML nodes with places: the layer that knows the yaml package. Nothing is
// ever turned into plain objects, so aliases cannot blow up ("billion laughs").

import {
  type Alias,
  LineCounter,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
} from 'yaml';
import type { Findings } from './findings';

/** Aliases and the nodes they are followed into; far above any hand-written file. */
const MAX_ALIASES = 2_000;

export class TooComplex extends Error {}

export interface Field {
  key: string;
  /** Where the key stands. */
  keyAt: number;
  value: Node | null;
  /** Where the value stands; the key's place when there is none. */
  at: number;
}

export class ComposeSource {
  readonly root: Node | null;
  private readonly aliases = new Map<Alias, Node>();
  private readonly known = new Map<Node, Map<string, Field>>();
  readonly text: string;

  private constructor(text: string, root: Node | null) {
    this.text = text;
    this.root = root;
  }

  /** Null when the YAML has syntax errors, which are then in `findings`. */
  static parse(text: string, counter: LineCounter, findings: Findings): ComposeSource | null {
    const document = parseDocument(text, {
      lineCounter: counter,
      prettyErrors: false,
      // Quadratic in the package; `index` below finds duplicates in linear time.
      uniqueKeys: false,
    });
    for (const error of document.errors.slice(0, 20)) {
      if (error.message.startsWith('Maximum call stack')) throw new TooComplex();
      findings.add('yaml_syntax', error.pos[0], '', plainMessage(error.code, error.message));
    }
    if (document.errors.length > 0) return null;
    for (const warning of document.warnings.slice(0, 20)) {
      findings.add('yaml_warning', warning.pos[0], '', warning.message);
    }
    const source = new ComposeSource(text, document.contents);
    source.index(source.root, '', new Map(), findings);
    return source;
  }

  /** One walk in document order: binds aliases to the anchor above them, reports duplicates. */
  private index(node: unknown, path: string, anchors: Map<string, Node>, findings: Findings): void {
    if (!isNode(node)) return;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) findings.add('alias_unknown', start(node), path, `There is no anchor &${node.source}.`);
      else if (this.aliases.size >= MAX_ALIASES) throw new TooComplex();
      else this.aliases.set(node, target);
      return;
    }
    if (node.anchor) anchors.set(node.anchor, node);
    if (isSeq(node)) {
      node.items.forEach((item, i) => this.index(item, `${path}[${i}]`, anchors, findings));
    } else if (isMap(node)) {
      const seen = new Set<string>();
      for (const pair of node.items) {
        const key = keyText(pair);
        const keyPath = join(path, key);
        this.index(pair.key, keyPath, anchors, findings);
        this.index(pair.value, keyPath, anchors, findings);
        if (key !== '<<' && seen.has(key))
          findings.add('duplicate_key', start(pair.key), keyPath, `“${key}” is here twice.`);
        seen.add(key);
      }
    }
  }

  /** The node an alias stands for, or the node itself; null for nothing and YAML null. */
  follow(value: unknown): Node | null {
    let node = value;
    // An anchor cannot contain an alias to itself above it, so chains are short.
    for (let i = 0; i < 100 && isAlias(node); i++) node = this.aliases.get(node);
    if (!isNode(node) || isAlias(node)) return null;
    return isScalar(node) && node.value === null ? null : node;
  }

  /** The fields of a mapping, merge keys (<<) applied; own fields win. Empty for other kinds. */
  fields(value: unknown, depth = 0): ReadonlyMap<string, Field> {
    const node = this.follow(value);
    if (!isMap(node)) return new Map();
    if (depth > 20) throw new TooComplex();
    const known = this.known.get(node);
    if (known) return known;
    const fields = new Map<string, Field>();
    const merges: unknown[] = [];
    for (const pair of node.items) {
      const key = keyText(pair);
      if (key === '<<') {
        const merged = this.follow(pair.value);
        if (isSeq(merged)) merges.push(...merged.items);
        else merges.push(merged);
        continue;
      }
      const keyAt = start(pair.key);
      const value = this.follow(pair.value);
      const at = value && isNode(pair.value) ? start(pair.value) : keyAt;
      fields.set(key, { key, keyAt, value, at });
    }
    for (const part of merges) {
      for (const [key, field] of this.fields(part, depth + 1)) {
        if (!fields.has(key)) fields.set(key, field);
      }
    }
    this.known.set(node, fields);
    return fields;
  }

  items(value: unknown): { value: Node | null; at: number }[] {
    const node = this.follow(value);
    if (!isSeq(node)) return [];
    return node.items.map((item) => ({ value: this.follow(item), at: start(item) }));
  }

  /** The source text of a scalar, quotes and block header included, and where it starts. */
  raw(node: Scalar): { text: string; at: number } {
    const range = node.range;
    if (!range) return { text: '', at: 0 };
    return { text: this.text.slice(range[0], range[1]), at: range[0] };
  }
}

export type Kind = 'mapping' | 'list' | 'text' | 'number' | 'boolean' | 'nothing';

export function kindOf(node: Node | null): Kind {
  if (isMap(node)) return 'mapping';
  if (isSeq(node)) return 'list';
  if (!isScalar(node)) return 'nothing';
  if (typeof node.value === 'number' || typeof node.value === 'bigint') return 'number';
  if (typeof node.value === 'boolean') return 'boolean';
  return 'text';
}

/** The text of a scalar as docker compose reads it, or null for lists, mappings and nothing. */
export function scalarText(node: Node | null): string | null {
  if (!isScalar(node) || node.value === null) return null;
  // 1.10 must stay 1.10, not the number 1.1.
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

export function start(value: unknown): number {
  return isNode(value) && value.range ? value.range[0] : 0;
}

/** A path segment; names with dots are bracketed so that the path stays readable. */
export function join(path: string, key: string): string {
  const segment = /^[\w-]+$/.test(key) ? key : `["${key.slice(0, 80)}"]`;
  return path === '' || segment.startsWith('[') ? `${path}${segment}` : `${path}.${segment}`;
}

function keyText(pair: Pair | YAMLMap['items'][number]): string {
  return isScalar(pair.key) ? (scalarText(pair.key) ?? 'null') : '?';
}

const HINTS: Record<string, string> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML does not allow tabs.',
  MULTIPLE_DOCS: 'Keep one document; remove the line --- and what follows.',
  BAD_INDENT: 'The indentation does not match the lines around it.',
  BLOCK_AS_IMPLICIT_KEY: 'There is a second colon on the line, or the line is indented wrongly.',
  MULTILINE_IMPLICIT_KEY: 'A colon is missing, or the line is indented wrongly.',
};

function plainMessage(code: string, message: string): string {
  const hint = HINTS[code];
  return hint ? `${message}. ${hint}` : message;
}
