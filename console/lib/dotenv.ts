// Reads text pasted from a .env file. Values are taken as they stand: $NAME is not replaced,
// because what is pasted is sealed and must arrive byte for byte.

import type { EnvPair } from './envRules';

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
 * Accepts `KEY=VALUE`, `export KEY=VALUE`, comments, blank lines, values in '…' or `…` (literal)
 * and "…" (with \n \r \t \" \\ \$), the quoted ones over several lines, Windows line ends and a
 * byte order mark. Lines it cannot read are reported and left out. Repeated keys are all kept, in
 * order.
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
      problems.push({ line: number, message: `The quote that starts the value of ${key} is never closed.` });
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
  // A comment needs a space before it: colours (#fff) and URLs with fragments stay whole.
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
      const escaped = c === '\\' && quote === '"' ? ESCAPES[text[i + 1] ?? ''] : undefined;
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
  if (!line.includes('=')) return 'There is no = on this line; write KEY=VALUE.';
  return 'The name before = may have letters, digits and _ only and must not start with a digit.';
}

/** Text that `parseDotenv` reads back to the same pairs; other dotenv readers mostly agree. */
export function formatDotenv(pairs: readonly EnvPair[]): string {
  return pairs.map(({ key, value }) => `${key}=${formatValue(value)}\n`).join('');
}

function formatValue(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=?&~-]*$/.test(value)) return value;
  // Single quotes are literal for every reader.
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  const escaped = value
    .replace(/[\\"$]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
