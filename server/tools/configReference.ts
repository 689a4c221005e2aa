import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONFIG_VARIABLES } from '../config';
import { VARIABLES } from '../configVariables';
import { ROOT } from '../root';

/** `npm run docs`: writes docs/configuration.md from the variables the server reads; `--check` only compares. */

const FILE = path.join(ROOT, 'docs/configuration.md');

const INTRODUCTION = `# Configuration

Written by \`npm run docs\` from \`server/configVariables.ts\`. Do not edit.

Every setting is an environment variable, and none is required. The server reports all invalid values at startup and
exits with code 78; \`npm run -s teehouse -- doctor\` checks the values and the systems they name.
Values marked *secret* never appear in logs or error messages.
`;

const expectations = new Map<string, { expected: string; secret?: boolean }>(Object.entries(VARIABLES));

/** Escapes what would end a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|');

/** Returns a code span, which keeps angle brackets from being read as HTML. */
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``);

/** Returns the text of docs/configuration.md. */
function configReference(): string {
  const rows = CONFIG_VARIABLES.map(({ name, what, default: fallback }) => {
    const { expected = '', secret = false } = expectations.get(name) ?? {};
    return `| \`${name}\` | ${code(fallback)} | ${cell(what)} | ${cell(expected)}${secret ? ' (*secret*)' : ''} |`;
  });
  return [
    INTRODUCTION,
    '| variable | default | purpose | accepted values |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!process.argv.includes('--check')) writeFileSync(FILE, configReference());
  else if (readFileSync(FILE, 'utf8') !== configReference()) {
    console.log('docs/configuration.md is out of date; run `npm run docs`.');
    process.exitCode = 1;
  }
}
