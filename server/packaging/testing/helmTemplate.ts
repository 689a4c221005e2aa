import { stringify } from 'yaml';
import { ownValue } from '../../../console/lib/ownValue';

/**
 * Renders the part of Helm's template language that the chart uses, so that its tests need no Helm. Anything else is an
 * error. The white space that `{{-` and `-}}` remove, and empty values as false, are Go's (text/template).
 */

type Fields = Record<string, unknown>;
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'output'; pipe: string }
  | { kind: 'define'; name: string; body: Node[] }
  | { kind: 'if' | 'with'; pipe: string; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; key: string; value: string; pipe: string; body: Node[] };
interface Scope {
  dot: unknown;
  variables: Fields;
}

/** @param files template texts by name. @returns the output of each that isn't a helper */
export function renderChart(files: Readonly<Record<string, string>>, root: Fields): Record<string, string> {
  const parsed = Object.entries(files).map(([name, text]) => [name, parse(text)] as const);
  const defined: Record<string, Node[]> = {};
  for (const [, nodes] of parsed)
    for (const node of nodes) if (node.kind === 'define') defined[node.name] = node.body;
  const outputs: Record<string, string> = {};
  for (const [name, nodes] of parsed)
    if (!name.startsWith('_')) outputs[name] = write(nodes, { dot: root, variables: { $: root } }, defined);
  return outputs;
}

function parse(text: string): Node[] {
  const parts = text.split(/(\{\{-? .*? -?\}\})/s);
  const tokens = parts.map((part, n) => {
    if (n % 2 === 1) return { action: part.replace(/^\{\{-? | -?\}\}$/g, '').trim() };
    const start = parts[n - 1]?.endsWith(' -}}') ? part.trimStart() : part;
    return { text: parts[n + 1]?.startsWith('{{- ') ? start.trimEnd() : start };
  });
  let at = 0;
  function block(): { nodes: Node[]; end: string } {
    const nodes: Node[] = [];
    while (at < tokens.length) {
      const { action, text: plain = '' } = tokens[at++] ?? {};
      if (action === undefined) nodes.push({ kind: 'text', text: plain });
      else if (action === 'end' || action === 'else') return { nodes, end: action };
      else nodes.push(node(action));
    }
    return { nodes, end: '' };
  }
  function node(action: string): Node {
    const [, word = '', rest = ''] = /^(define|if|with|range) (.*)$/s.exec(action) ?? [];
    if (word === '') return { kind: 'output', pipe: action };
    const { nodes: body, end } = block();
    const otherwise = end === 'else' ? block().nodes : [];
    if (end === '') throw new Error(`“${action}” has no end`);
    if (word === 'define') return { kind: 'define', name: rest.replaceAll('"', ''), body };
    if (word === 'if' || word === 'with') return { kind: word, pipe: rest, body, otherwise };
    const [, key = '', value = '', pipe = ''] = /^(\$\w+), (\$\w+) := (.*)$/.exec(rest) ?? [];
    if (pipe === '') throw new Error(`not understood: ${action}`);
    return { kind: 'range', key, value, pipe, body };
  }
  const { nodes, end } = block();
  if (end !== '') throw new Error(`“${end}” ends nothing`);
  return nodes;
}

function write(nodes: readonly Node[], scope: Scope, defined: Record<string, Node[]>): string {
  const inner = (body: Node[], within: Scope) => write(body, within, defined);
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'define') return '';
      const value = evaluate(node.kind === 'output' ? node.pipe : node.pipe, scope, defined);
      if (node.kind === 'output') return String(value);
      if (node.kind === 'range')
        return Object.entries((value ?? {}) as Fields)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, one]) =>
            inner(node.body, {
              dot: one,
              variables: { ...scope.variables, [node.key]: key, [node.value]: one },
            }),
          )
          .join('');
      if (isEmpty(value)) return inner(node.otherwise, scope);
      return inner(node.body, node.kind === 'with' ? { ...scope, dot: value } : scope);
    })
    .join('');
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function evaluate(pipe: string, scope: Scope, defined: Record<string, Node[]>): unknown {
  let last: unknown[] = [];
  for (const command of pipe.split(' | ')) {
    const words = command.match(/"[^"]*"|\S+/g) ?? [];
    const name = words[0] ?? '';
    const isFunction = /^[a-zA-Z]/.test(name);
    const values = (isFunction ? words.slice(1) : words).map((word) => valueOf(word, scope));
    last = [isFunction ? call(name, [...values, ...last], defined) : values[0]];
  }
  return last[0];
}

function valueOf(word: string, { dot, variables }: Scope): unknown {
  if (word.startsWith('"')) return word.slice(1, -1);
  if (/^\d+$/.test(word)) return Number(word);
  const [first = '', ...path] = word.split('.');
  if (first !== '' && !Object.hasOwn(variables, first)) throw new Error(`unknown: ${word}`);
  const start = first === '' ? dot : ownValue(variables, first);
  return path
    .filter((part) => part !== '')
    .reduce<unknown>((value, part) => {
      if (typeof value !== 'object' || value === null) throw new Error(`nothing has ${word}`);
      return ownValue(value as Fields, part);
    }, start);
}

function call(name: string, args: readonly unknown[], defined: Record<string, Node[]>): string | number {
  const text = (n: number) => String(args[n] ?? '');
  switch (name) {
    case 'include': {
      const body = ownValue(defined, text(0));
      if (!body) throw new Error(`no template ${text(0)}`);
      return write(body, { dot: args[1], variables: { $: args[1] } }, defined);
    }
    case 'quote':
      return JSON.stringify(text(0));
    case 'toYaml':
      return stringify(args[0], { lineWidth: 0 }).trimEnd();
    case 'nindent':
      return `\n${text(1).replaceAll(/^/gm, ' '.repeat(Number(args[0])))}`;
    case 'default':
      return isEmpty(args[1]) ? text(0) : text(1);
    case 'trunc':
      return text(1).slice(0, Number(args[0]));
    case 'trimSuffix':
      return text(1).endsWith(text(0)) ? text(1).slice(0, text(1).length - text(0).length) : text(1);
    default:
      throw new Error(`unknown function: ${name}`);
  }
}
