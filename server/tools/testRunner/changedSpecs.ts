import path from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { bin, ROOT, run, runNode } from '../run';

/** Selects the browser specs that a change can affect, for `npm test changed`. */

const E2E = 'console/e2e';
const ROUTES = 'console/routes';

export interface Sources {
  /** Changed files, relative to the root. */
  changed: readonly string[];
  /** For each file, the files that import it. */
  importers: ReadonlyMap<string, readonly string[]>;
  /** Text of each spec by its path. */
  specs: ReadonlyMap<string, string>;
}

/**
 * Returns the specs that a change can affect: those that import a changed file, and those that visit a route whose page
 * does. Errs on the side of running a spec: a change outside all subjects returns every one.
 */
export function affectedSpecs({ changed, importers, specs }: Sources): string[] {
  const all = [...specs.keys()].toSorted();
  const seeds = new Set<string>();
  for (const file of changed) {
    const subject = subjectOf(file);
    if (subject === 'everything') return all;
    if (subject === 'nothing') continue;
    if (subject.startsWith('console/features/'))
      for (const known of importers.keys()) if (known.startsWith(subject)) seeds.add(known);
    seeds.add(file);
  }
  const reached = reach(seeds, importers);
  // The router's own file isn't in the graph, so files reaching the entry are part of every page.
  if (reached.has('console/main.tsx')) return all;
  const isAdmin = [...reached].some((file) => file.startsWith('admin/'));
  const visits: RegExp[] = [];
  for (const file of reached) {
    // Files and folders with a hyphen hold what routes share.
    if (!file.startsWith(`${ROUTES}/`) || file.startsWith(`${ROUTES}/-`)) continue;
    const pattern = visitPattern(file);
    if (pattern === null) return all;
    visits.push(pattern);
  }
  return all.filter(
    (spec) =>
      reached.has(spec) ||
      (isAdmin && spec.startsWith(`${E2E}/admin/`)) ||
      visits.some((pattern) => pattern.test(specs.get(spec) ?? '')),
  );
}

/**
 * Returns what a change affects: a console feature for its subject's server code, the file, everything, or
 * nothing.
 */
function subjectOf(file: string): string {
  if (/\.(test|bench)\.tsx?$|\.md$|^server\/(bench|testing\/newestLts)\/|^integrations\//.test(file))
    return 'nothing';
  const subject =
    /^server\/(?:operations|domain|db|jobs)\/(\w+)\//.exec(file)?.[1] ??
    /^openapi\/(?:paths|schemas)\/(\w+)\.yaml$/.exec(file)?.[1];
  if (subject !== undefined && subject !== 'core' && subject !== 'migrations')
    return `console/features/${subject}/`;
  if (/^(console|admin)\//.test(file)) return file;
  // Generated files follow from the document, which is checked itself.
  if (/^generated\/|\.gen\.tsx?$/.test(file)) return 'nothing';
  return 'everything';
}

function reach(seeds: Iterable<string>, importers: Sources['importers']): Set<string> {
  const reached = new Set(seeds);
  const open = [...reached];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const importer of importers.get(file) ?? []) {
      if (reached.has(importer)) continue;
      reached.add(importer);
      open.push(importer);
    }
  }
  return reached;
}

/** Returns a pattern for specs that visit a route; null for routes without a fixed segment, visited by all. */
function visitPattern(route: string): RegExp | null {
  const fixed = route
    .slice(ROUTES.length + 1)
    .replace(/\.tsx?$/, '')
    .replace(/\[(.)\]/g, '$1')
    .split(/[./]/)
    .filter((segment) => segment !== 'index' && !/^[_$]/.test(segment) && !segment.includes('{'));
  const last = fixed.at(-1);
  return last === undefined ? null : new RegExp(`['"\`/]${last}(?![\\w-])`);
}

const Cruise = z.object({
  modules: z.array(
    z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) }),
  ),
});

/** Returns the specs affected since a commit, uncommitted files included. */
export async function changedSpecs(since: string): Promise<string[]> {
  const [changed, cruise, names] = await Promise.all([
    changedFiles(since),
    runNode([
      bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      'console',
      'admin',
    ]),
    readdir(path.join(ROOT, E2E), { recursive: true }),
  ]);
  const importers = new Map<string, string[]>();
  for (const { source, dependencies } of Cruise.parse(JSON.parse(cruise.output)).modules) {
    if (!importers.has(source)) importers.set(source, []);
    for (const { resolved } of dependencies)
      importers.set(resolved, [...(importers.get(resolved) ?? []), source]);
  }
  const paths = names.filter((name) => name.endsWith('.spec.ts')).map((name) => path.join(E2E, name));
  const specs = new Map(
    await Promise.all(
      paths.map(async (file) => [file, await readFile(path.join(ROOT, file), 'utf8')] as const),
    ),
  );
  return affectedSpecs({ changed, importers, specs });
}

async function changedFiles(since: string): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { code, output } = await run('git', args);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output.trim()}`);
    return output.split('\n').filter(Boolean);
  };
  return [
    ...(await git('diff', '--name-only', since)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
}

/** Returns the commit where the current branch left main: the base that `changed` compares with. */
export async function branchPoint(): Promise<string> {
  for (const main of ['main', 'origin/main']) {
    const { code, output } = await run('git', ['merge-base', main, 'HEAD']);
    if (code === 0) return output.trim();
  }
  throw new Error('`npm test changed` compares with branch main, and there is none here.');
}
