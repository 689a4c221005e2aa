// ${VARIABLES} of a compose file: where they stand, whether they have a default, and whether the
// text around a dollar sign would make docker compose refuse the file.

import { type Node, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { Findings } from './findings';
import { type ComposeSource, TooComplex, join } from './source';

export interface ComposeVariable {
  name: string;
  /** Place of the first use, 1-based. */
  line: number;
  column: number;
  /** `${NAME:?message}`: docker compose refuses to start without a value. */
  required: boolean;
  /** Of the first use that has one; absent when no use has. */
  default?: string;
}

interface Use {
  name: string;
  at: number;
  path: string;
  required: boolean;
  default?: string;
}

const MAX_VISITS = 300_000;
const MAX_ERRORS = 200;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/**
 * Uses in one text. `$$` is a plain dollar; `${A:-${B}}` uses both. `onError` gets the index of a
 * dollar sign that is neither.
 */
export function scanVariables(
  text: string,
  onUse: (use: { name: string; index: number; required: boolean; default?: string }) => void,
  onError: (index: number) => void,
  depth = 0,
  base = 0,
): void {
  for (let i = text.indexOf('$'); i >= 0; i = text.indexOf('$', i)) {
    if (text[i + 1] === '$') {
      i += 2;
      continue;
    }
    const braced = text[i + 1] === '{';
    NAME.lastIndex = i + (braced ? 2 : 1);
    const name = NAME.exec(text)?.[0];
    const end = braced ? closingBrace(text, i + 2) : NAME.lastIndex;
    if (!name || end < 0) {
      onError(base + i);
      i += 1;
      continue;
    }
    if (!braced) {
      onUse({ name, index: base + i, required: false });
      i = end;
      continue;
    }
    const restAt = i + 2 + name.length;
    const rest = text.slice(restAt, end);
    const operator = /^(:-|-|:\?|\?|:\+|\+)/.exec(rest)?.[0];
    if (rest !== '' && !operator) onError(base + i);
    else {
      const operand = rest.slice(operator?.length ?? 0);
      // ${NAME:+text} is made to work without a value, so its default is the empty text.
      const fallback = operator?.endsWith('-') ? operand : operator?.endsWith('+') ? '' : undefined;
      onUse({
        name,
        index: base + i,
        required: operator?.endsWith('?') ?? false,
        ...(fallback === undefined ? {} : { default: fallback }),
      });
      if (operand.includes('$') && depth < 10) {
        const operandAt = base + restAt + (operator?.length ?? 0);
        scanVariables(operand, onUse, onError, depth + 1, operandAt);
      }
    }
    i = end + 1;
  }
}

function closingBrace(text: string, from: number): number {
  let open = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '}' && --open === 0) return i;
    if (text[i] === '$' && text[i + 1] === '{') open++;
  }
  return -1;
}

/** Collects every use below `root` once, also through aliases; x- fields count when used. */
export class VariableUses {
  private readonly uses: Use[] = [];
  private readonly seen = new Set<Node>();
  private visits = 0;
  private errors = 0;
  private readonly source: ComposeSource;
  private readonly findings: Findings;

  constructor(source: ComposeSource, findings: Findings) {
    this.source = source;
    this.findings = findings;
  }

  walk(value: unknown, path: string, into?: Set<string>, depth = 0): void {
    // Aliases of aliases could make a small file an endless one.
    if (depth > 200 || ++this.visits > MAX_VISITS) throw new TooComplex();
    const node = isAlias(value) ? this.source.follow(value) : value;
    if (!isNode(node)) return;
    if (isScalar(node)) {
      if (typeof node.value !== 'string' || !node.value.includes('$')) return;
      this.scan(node, path, into);
      return;
    }
    // A node reached a second time (by an alias) has been reported; its names still count.
    if (this.seen.has(node) && !into) return;
    this.seen.add(node);
    if (isSeq(node)) {
      node.items.forEach((item, i) => this.walk(item, `${path}[${i}]`, into, depth + 1));
    } else if (isMap(node)) {
      for (const pair of node.items) {
        const key = isScalar(pair.key) ? String(pair.key.value) : '?';
        if (depth === 0 && key.startsWith('x-')) continue;
        this.walk(pair.value, join(path, key), into, depth + 1);
      }
    }
  }

  /** `- NAME` or `NAME:` under environment: the value comes from the variable of that name. */
  passThrough(name: string, at: number, path: string): void {
    this.uses.push({ name, at, path, required: false });
  }

  private scan(node: Node, path: string, into?: Set<string>): void {
    if (!isScalar(node)) return;
    const { text, at } = this.source.raw(node);
    const report = !this.seen.has(node);
    this.seen.add(node);
    scanVariables(
      text,
      ({ index, ...use }) => {
        into?.add(use.name);
        if (report) this.uses.push({ ...use, at: at + index, path });
      },
      (index) => {
        // Looking for the end of an unclosed ${ reads the rest of the text each time.
        if (++this.errors > MAX_ERRORS) throw new TooComplex();
        if (report)
          this.findings.add(
            'variable_syntax',
            at + index,
            path,
            'This dollar sign does not start a variable.',
          );
      },
    );
  }

  /** Reports unset variables (once per name) and unused secrets; returns the list of variables. */
  finish(
    secretNames: readonly string[],
    preLaunchScript: string,
    locate: (offset: number) => { line: number; column: number },
  ): ComposeVariable[] {
    const secrets = new Set(secretNames);
    const variables = new Map<string, ComposeVariable>();
    const open = new Map<string, Use>();
    this.uses.sort((a, b) => a.at - b.at);
    for (const use of this.uses) {
      const known = variables.get(use.name);
      const variable = known ?? { name: use.name, ...locate(use.at), required: false };
      variable.required ||= use.required;
      if (use.default !== undefined) variable.default ??= use.default;
      if (!known) variables.set(use.name, variable);
      const bare = use.default === undefined;
      const before = open.get(use.name);
      if (bare && !secrets.has(use.name) && (!before || (use.required && !before.required)))
        open.set(use.name, use);
    }
    for (const use of open.values()) {
      this.findings.add(
        use.required ? 'variable_required' : 'variable_unset',
        use.at,
        use.path,
        `${use.name} has no value: there is no secret of that name.`,
      );
    }
    for (const name of secrets) {
      if (name === '' || variables.has(name)) continue;
      // Read by the guest itself, not by containers.
      if (name.startsWith('DSTACK_')) continue;
      if (new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\b`).test(preLaunchScript)) continue;
      this.findings.add('secret_unused', 0, '', `The secret ${name} is not used in this file.`);
    }
    return [...variables.values()];
  }
}
