// Parses text pasted from a .env file. Values are taken literally: $NAME isn't replaced, because the pasted
// value is encrypted and must arrive byte for byte.

import type { EnvPair } from './envRules';
import { ownValue } from '../ownValue';

export interface DotenvProblem {
  /** 1-based. */
  line: number;
  /** Never contains a value. */
  message: string;
}

const KEY = /^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  $: '$',
};

/**
 * Accepts `KEY=VALUE`, `export KEY=VALUE`, comments, blank lines, values in '…' or `…` (literal) and "…" (with \n
 * \r \t \" \\ \$), quoted values over several lines, Windows line endings and a byte order mark. Reports and skips
 * invalid lines. Keeps all repeated keys, in order.
 */
export function parseDotenv(text: string): { pairs: EnvPair[]; problems: DotenvProblem[] } {
  const pairs: EnvPair[] = [];
  const problems: DotenvProblem[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  for (let i = 0; i < lines.length; i++) {
    const number = i + 1;
    const line = (lines[i] ?? '').trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const head = KEY.exec(line);
    const key = head?.[1];
    if (!head || key === undefined) {
      problems.push({ line: number, message: lineProblem(line) });
      continue;
    }
    const rest = line.slice(head[0].length);
    const quote = rest[0];
    if (quote !== '"' && quote !== "'" && quote !== '`') {
      pairs.push({ key, value: bareValue(rest) });
      continue;
    }
    const quoted = quotedValue(lines, i, rest, quote);
    if (!quoted) {
      problems.push({ line: number, message: `The value of ${key} has no closing quote.` });
      continue;
    }
    i = quoted.lastLine;
    if (!/^\s*(#.*)?$/.test(quoted.after)) {
      problems.push({ line: i + 1, message: `There is text after the closing quote of ${key}.` });
      continue;
    }
    pairs.push({ key, value: quoted.value });
  }
  return { pairs, problems };
}

function bareValue(rest: string): string {
  if (rest.startsWith('#')) return '';
  // A comment needs a space before it, so that colors (#fff) and URLs with fragments stay intact.
  const comment = /[ \t]#/.exec(rest);
  return (comment ? rest.slice(0, comment.index) : rest).trimEnd();
}

function quotedValue(
  lines: readonly string[],
  from: number,
  rest: string,
  quote: string,
): { value: string; after: string; lastLine: number } | null {
  let value = '';
  let line = from;
  let text = rest.slice(1);
  for (;;) {
    for (let i = 0; i < text.length; i++) {
      const c = text[i] ?? '';
      if (c === quote) return { value, after: text.slice(i + 1), lastLine: line };
      const escaped = c === '\\' && quote === '"' ? ownValue(ESCAPES, text[i + 1] ?? '') : undefined;
      value += escaped ?? c;
      if (escaped !== undefined) i++;
    }
    line++;
    const next = lines[line];
    if (next === undefined) return null;
    value += '\n';
    text = next;
  }
}

function lineProblem(line: string): string {
  if (!line.includes('=')) return 'This line has no =. Write KEY=VALUE.';
  return 'The name before = may contain only letters, digits and _ and can’t start with a digit.';
}

/** Returns text that `parseDotenv` parses to the same pairs; most other dotenv parsers agree. */
export function formatDotenv(pairs: readonly EnvPair[]): string {
  return pairs.map(({ key, value }) => `${key}=${formatValue(value)}\n`).join('');
}

function formatValue(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=?&~-]*$/.test(value)) return value;
  // Every parser treats single quotes as literal.
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  const escaped = value
    .replace(/[\\"$]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
