// ${VARIABLES} in a Compose file: their positions and defaults, and dollar signs docker compose would reject.

import { type Node, type Scalar, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { Findings } from './findings';
import { type ComposeSource, TooComplex, join } from './source';

export interface ComposeVariable {
  name: string;
  /** Position of the first use, 1-based. */
  line: number;
  column: number;
  /** `${NAME:?message}`: docker compose won't start without a value. */
  required: boolean;
  /** From the first use that has one; absent if none does. */
  default?: string;
}

interface Use {
  name: string;
  at: number;
  path: string;
  required: boolean;
  default?: string;
}

const MAX_ERRORS = 200;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/**
 * Finds the uses in a text. `$$` is a plain dollar sign; `${A:-${B}}` uses both. `onError` gets the index of
 * any other dollar sign.
 */
function scanVariables(
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
      // ${NAME:+text} is meant to work without a value, so its default is empty.
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

/** Collects every use below `root` once, including through aliases; x- fields count if used. */
export class VariableUses {
  private readonly uses: Use[] = [];
  private readonly seen = new Set<Node>();
  /** Names used in a text, so that an alias used a thousand times is parsed once. */
  private readonly names = new Map<Node, readonly string[]>();
  private errors = 0;
  private readonly source: ComposeSource;
  private readonly findings: Findings;

  constructor(source: ComposeSource, findings: Findings) {
    this.source = source;
    this.findings = findings;
  }

  walk(value: unknown, path: string, into?: Set<string>, depth = 0): void {
    if (depth > 200) throw new TooComplex('The file is nested more than 200 levels deep.');
    this.source.spend(1);
    const node = isAlias(value) ? this.source.follow(value) : value;
    if (!isNode(node)) return;
    if (isScalar(node)) {
      if (typeof node.value !== 'string' || !node.value.includes('$')) return;
      this.scan(node, path, into);
      return;
    }
    // A node visited again through an alias was already reported; its names still count.
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

  /** `- NAME` or `NAME:` under environment takes its value from the variable of that name. */
  passThrough(name: string, at: number, path: string): void {
    this.source.spend(1);
    this.uses.push({ name, at, path, required: false });
  }

  private scan(node: Node, path: string, into?: Set<string>): void {
    if (!isScalar(node)) return;
    const names = this.names.get(node) ?? this.report(node, path);
    this.names.set(node, names);
    this.source.spend(names.length);
    if (into) for (const name of names) into.add(name);
  }

  /** Records each use with its position, once per text; returns the names. */
  private report(node: Scalar, path: string): readonly string[] {
    const { text, at } = this.source.raw(node);
    const names = new Set<string>();
    scanVariables(
      text,
      ({ index, ...use }) => {
        names.add(use.name);
        this.uses.push({ ...use, at: at + index, path });
      },
      (index) => {
        // Finding the end of an unclosed ${ scans the remaining text each time.
        if (++this.errors > MAX_ERRORS)
          throw new TooComplex(
            `More than ${MAX_ERRORS} dollar signs do not start a variable.`,
            at + index,
            path,
          );
        const message = 'This dollar sign does not start a variable.';
        this.findings.add('variable_syntax', at + index, path, message);
      },
    );
    return [...names];
  }

  /** Reports unset variables (once per name) and unused secrets. */
  finish(
    secretNames: readonly string[],
    preLaunchScript: string,
    locate: (offset: number) => { line: number; column: number },
  ): { variables: ComposeVariable[]; unusedSecrets: string[] } {
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
        `${use.name} has no value, and no secret has that name.`,
      );
    }
    const scriptWords = new Set(preLaunchScript.match(/\w+/g));
    const unusedSecrets = [...secrets].filter(
      (name) =>
        name !== '' &&
        !variables.has(name) &&
        // The guest itself reads these.
        !name.startsWith('DSTACK_') &&
        !scriptWords.has(name),
    );
    for (const name of unusedSecrets)
      this.findings.add('secret_unused', 0, '', `The secret ${name} is not used in this file.`);
    return { variables: [...variables.values()], unusedSecrets };
  }
}
