import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { adminResources } from '../../generated/admin/schemas.gen';
import { ROOT } from '../root';

/**
 * `npm run -s admin-lines`: counts the admin area's hand-written lines per resource. Everything else is derived
 * from the schema; if the median resource needs this many lines, the schema-driven area has failed its purpose.
 */

/** The median must stay below this. */
const TOO_MANY = 15;

const FOLDER = 'admin/resources';

/** Counts lines that are neither blank nor comment. */
export function lines(text: string): number {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}

interface Entry {
  /** A resource's declarations in `admin/resources/index.ts`, in any table. */
  text: string;
  /** Files it imports, relative to that folder. */
  files: string[];
}

/** Parses the entries of the tables by resource; pages without a resource are listed under ''. */
export function entriesOf(index: string): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const add = (resource: string, text: string) => {
    const before = found.get(resource) ?? { text: '', files: [] };
    const files = [...text.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file = '']) => file);
    found.set(resource, { text: `${before.text}${text}\n`, files: [...before.files, ...files] });
  };
  for (const [, kind = '', body = ''] of index.matchAll(
    /^export const \w+: .*= ([{[])\n([\s\S]*?)^[}\]];/gm,
  )) {
    if (kind === '[') {
      add('', body);
      continue;
    }
    for (const [text, quoted, plain] of body.matchAll(
      /^ {2}(?:'([a-z-]+)'|([a-z]+)):[\s\S]*?(?=^ {2}['a-z]|$(?![\s\S]))/gm,
    ))
      add(quoted ?? plain ?? '', text.trimEnd());
  }
  return found;
}

const fileOf = (name: string) =>
  [`${name}.tsx`, `${name}.ts`].find((file) => existsSync(path.join(ROOT, FOLDER, file)));

/** Returns the file and its imports from the same folder, each once. */
function reach(name: string, seen: Set<string>): string[] {
  const file = fileOf(name);
  if (file === undefined || seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(path.join(ROOT, FOLDER, file), 'utf8');
  const inner = [...text.matchAll(/from '(\.[^']+)'/g)].flatMap(([, from = '']) => {
    const target = path.posix.join(path.posix.dirname(file), from);
    return target.startsWith('..') ? [] : reach(target, seen);
  });
  return [file, ...inner];
}

export interface Count {
  resource: string;
  lines: number;
}

/** Returns hand-written lines per resource, most first. Lines without a resource come last, under ''. */
export function adminLines(): Count[] {
  const read = (file: string) => readFileSync(path.join(ROOT, FOLDER, file), 'utf8');
  const entries = entriesOf(read('index.ts'));
  const seen = new Set<string>();
  const counts = Object.keys(adminResources).map((resource) => {
    const { text = '', files = [] } = entries.get(resource) ?? {};
    const reached = files.flatMap((file) => reach(file, seen));
    return { resource, lines: lines(text) + reached.reduce((sum, file) => sum + lines(read(file)), 0) };
  });
  // A file missing from every table belongs to the resource that its folder names.
  const left = readdirSync(path.join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== 'index.ts' && !seen.has(file),
    );
  let others = lines(entries.get('')?.text ?? '');
  for (const file of left) {
    const own = counts.find(({ resource }) => file.startsWith(`${resource}/`));
    if (own) own.lines += lines(read(file));
    else others += lines(read(file));
  }
  return [...counts.sort((a, b) => b.lines - a.lines), { resource: '', lines: others }];
}

/** Returns the median. */
export function medianOf(counts: readonly Count[]): number {
  const sorted = counts.filter(({ resource }) => resource !== '').map((count) => count.lines);
  sorted.sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const counts = adminLines();
  for (const { resource, lines: number } of counts)
    process.stdout.write(`${String(number).padStart(5)}  ${resource || '(pages of no resource)'}\n`);
  const median = medianOf(counts);
  process.stdout.write(
    `${String(median).padStart(5)}  median of ${counts.length - 1} resources, below ${TOO_MANY}\n`,
  );
  if (median >= TOO_MANY) process.exitCode = 1;
}

export { TOO_MANY };
