import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ownValue } from '../console/lib/ownValue';

/** Settings as text, by name. */
export type Settings = Readonly<Record<string, string | undefined>>;

export interface SourceProblem {
  variable: string;
  value: string;
  expected: string;
}

/** Maximum bytes: enough for certificates and lists. */
const MAX_FILE = 262_144;
const SUFFIX = '_FILE';
const CONFIG_FILE = 'TEEHOUSE_CONFIG';

/**
 * Returns the settings of the environment, of the files in `NAME_FILE` variables, and of the configuration file,
 * in this order of precedence. Only known settings are read.
 */
export function gatherSettings(
  env: Settings,
  names: readonly string[],
): { settings: Settings; problems: SourceProblem[] } {
  const problems: SourceProblem[] = [];
  const of = (source: Settings, name: string) => ownValue(source, name)?.trim() || undefined;
  const file = of(env, CONFIG_FILE);
  const written = file === undefined ? {} : fromFile(file, names, problems);
  const settings: Record<string, string | undefined> = {};
  for (const name of names) {
    const found = [env, written].map((source) => valueIn(source, name, of, problems));
    settings[name] = found.find((value) => value !== undefined);
  }
  return { settings, problems };
}

type Look = (source: Settings, name: string) => string | undefined;

function valueIn(source: Settings, name: string, of: Look, problems: SourceProblem[]): string | undefined {
  const value = of(source, name);
  const file = of(source, name + SUFFIX);
  if (file === undefined) return value;
  if (value !== undefined) {
    problems.push({
      variable: name + SUFFIX,
      value: file,
      expected: `no ${name} beside it: set one of them`,
    });
    return value;
  }
  const read = readText(file);
  const text = typeof read === 'string' ? read.trim() : '';
  if (text !== '') return text;
  // A secret not written yet must not fall back to the default.
  const expected = typeof read === 'string' ? 'a file that is not empty' : read.expected;
  problems.push({ variable: name + SUFFIX, value: file, expected });
  // A value from another source would hide that this one is missing.
  return undefined;
}

/** The settings of a configuration file: `NAME=value` lines. Unknown names are errors. */
function fromFile(file: string, names: readonly string[], problems: SourceProblem[]): Settings {
  const read = readText(file);
  if (typeof read !== 'string') {
    problems.push({ variable: CONFIG_FILE, value: file, expected: read.expected });
    return {};
  }
  const written = parseEnv(read);
  const known = new Set(names.flatMap((name) => [name, name + SUFFIX]));
  for (const name of Object.keys(written))
    if (!known.has(name) || name === CONFIG_FILE)
      problems.push({
        variable: CONFIG_FILE,
        value: file,
        expected: `only settings listed in docs/configuration.md, and ${name.slice(0, 80)} isn't one`,
      });
  return written;
}

/** Returns a file's text, or the unmet expectation. */
function readText(file: string): string | { expected: string } {
  try {
    const { size } = statSync(file);
    if (size > MAX_FILE) return { expected: `a file of at most ${MAX_FILE} bytes` };
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is none' : code === 'EISDIR' ? 'this is a folder' : code;
    return { expected: `a file that the server can read (${why})` };
  }
}
