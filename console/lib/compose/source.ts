// A Compose file as YAML nodes with positions, the only layer that uses the yaml package. Nothing is converted
// to plain objects, so aliases can't expand exponentially ("billion laughs").

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
} from 'yaml';
import { ownValue } from '../ownValue';
import { parseYaml } from './parse';
import type { Findings } from './findings';

/** Far more than in any hand-written file. */
const MAX_ALIASES = 2_000;
/** A 200 KB file has at most 100,000 nodes; a node counts once for each alias that uses it. */
const MAX_VISITS = 500_000;

/** The file exceeds an analysis limit, named in the message. */
export class TooComplex extends Error {
  readonly at: number;
  readonly path: string;
  constructor(message = 'The file is too complex to check.', at = 0, path = '') {
    super(message);
    this.at = at;
    this.path = path;
  }
}

export interface Field {
  key: string;
  /** Position of the key. */
  keyAt: number;
  value: Node | null;
  /** Position of the value, or of the key if there is none. */
  at: number;
}

export class ComposeSource {
  readonly root: Node | null;
  private readonly aliases = new Map<Alias, Node>();
  private readonly known = new Map<Node, Map<string, Field>>();
  readonly text: string;
  private visits = 0;

  private constructor(text: string, root: Node | null) {
    this.text = text;
    this.root = root;
  }

  /** Null if the YAML has syntax errors, which are then in `findings`. */
  static parse(text: string, counter: LineCounter, findings: Findings): ComposeSource | null {
    const document = parseYaml(text, { lineCounter: counter });
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

  /**
   * Counts work before doing it. Every walk over nodes is charged here, so MAX_VISITS bounds the time and
   * memory of an analysis however much aliases multiply.
   */
  spend(visits: number): void {
    this.visits += visits;
    if (this.visits > MAX_VISITS)
      throw new TooComplex(
        'Aliases and merge keys expand to more than 500,000 values. Use fewer aliases, or split the file into several apps.',
      );
  }

  /** Walks once in document order: binds aliases to the preceding anchor and reports duplicates. */
  private index(node: unknown, path: string, anchors: Map<string, Node>, findings: Findings): void {
    if (!isNode(node)) return;
    this.spend(1);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) findings.add('alias_unknown', start(node), path, `There is no anchor &${node.source}.`);
      else if (this.aliases.size >= MAX_ALIASES)
        throw new TooComplex(`The file has more than ${MAX_ALIASES} aliases.`, start(node), path);
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
          findings.add('duplicate_key', start(pair.key), keyPath, `“${key}” appears twice.`);
        seen.add(key);
      }
    }
  }

  /** Returns an alias's target, or the node itself; null for a missing value and YAML null. */
  follow(value: unknown): Node | null {
    let node = value;
    // An anchor can't contain a preceding alias to itself, so chains are short.
    for (let i = 0; i < 100 && isAlias(node); i++) node = this.aliases.get(node);
    if (!isNode(node) || isAlias(node)) return null;
    return isScalar(node) && node.value === null ? null : node;
  }

  /** Returns a mapping's fields with merge keys (<<) applied; its own fields win. Empty for other types. */
  fields(value: unknown, depth = 0): ReadonlyMap<string, Field> {
    const node = this.follow(value);
    if (!isMap(node)) return new Map();
    if (depth > 20) throw new TooComplex('Merge keys (<<) are nested more than 20 levels deep.', start(node));
    const known = this.known.get(node);
    if (known) {
      this.spend(known.size);
      return known;
    }
    this.spend(node.items.length);
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
    this.spend(node.items.length);
    return node.items.map((item) => ({ value: this.follow(item), at: start(item) }));
  }

  /** Returns a scalar's source text, including quotes and block header, and its start. */
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

/** Returns a scalar's text as docker compose reads it; null for lists, mappings and missing values. */
export function scalarText(node: Node | null): string | null {
  if (!isScalar(node) || node.value === null) return null;
  // 1.10 must stay 1.10 rather than become the number 1.1.
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

export function start(value: unknown): number {
  return isNode(value) && value.range ? value.range[0] : 0;
}

/** A path segment; names with dots are bracketed to keep the path readable. */
export function join(path: string, key: string): string {
  const segment = /^[\w-]+$/.test(key) ? key : `["${key.slice(0, 80)}"]`;
  return path === '' || segment.startsWith('[') ? `${path}${segment}` : `${path}.${segment}`;
}

function keyText(pair: Pair | YAMLMap['items'][number]): string {
  return isScalar(pair.key) ? (scalarText(pair.key) ?? 'null') : '?';
}

const HINTS: Record<string, string> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML does not allow tabs.',
  MULTIPLE_DOCS: 'Keep one document: remove the line --- and everything after it.',
  BAD_INDENT: 'The indentation does not match the lines around it.',
  BLOCK_AS_IMPLICIT_KEY: 'The line has a second colon or incorrect indentation.',
  MULTILINE_IMPLICIT_KEY: 'The line has a missing colon or incorrect indentation.',
};

/** The parser uses quote characters ('Missing closing "quote') and omits the final period. */
function plainMessage(code: string, message: string): string {
  const sentence = message
    .replace(/closing "quote/, 'closing double quote')
    .replace(/closing 'quote/, 'closing single quote')
    .replace(/[^.]$/, '$&.');
  const hint = ownValue(HINTS, code);
  return hint ? `${sentence} ${hint}` : sentence;
}
