import { ownValue } from '../../console/lib/ownValue';

/** A subset of package-lock.json: dependencies of some packages, at the same versions and paths. */

interface LockEntry {
  version?: string;
  license?: string;
  /** Subresource integrity of the archive. */
  integrity?: string;
  optional?: boolean;
  /** Whether it is in its dependent's archive. */
  inBundle?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
export type LockedPackages = Record<string, LockEntry>;

/**
 * Returns the entries of `packages` (by folder, as in lockfileVersion 3) for `names` and all dependencies.
 * Throws if a dependency that isn't optional is missing.
 */
export function lockSubset(packages: LockedPackages, names: readonly string[]): LockedPackages {
  const kept = new Map<string, LockEntry>();
  const visit = (from: string, name: string, isOptional: boolean): void => {
    const folder = resolve(packages, from, name);
    if (folder === undefined) {
      if (isOptional) return;
      throw new Error(`package-lock.json has no ${name}, which ${from || 'the package'} needs`);
    }
    const entry = ownValue(packages, folder);
    if (entry === undefined || kept.has(folder)) return;
    kept.set(folder, entry);
    for (const dependency of Object.keys(entry.dependencies ?? {})) visit(folder, dependency, false);
    for (const dependency of Object.keys(entry.optionalDependencies ?? {})) visit(folder, dependency, true);
    for (const dependency of Object.keys(entry.peerDependencies ?? {}))
      visit(folder, dependency, ownValue(entry.peerDependenciesMeta ?? {}, dependency)?.optional === true);
  };
  for (const name of names) visit('', name, false);
  return Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the folder Node would load `name` from, for a file in `from`. */
function resolve(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, candidate)) return candidate;
    if (folder === '') return undefined;
  }
}

/** Returns the folder whose node_modules contains this one; '' is the project itself. */
const parentOf = (folder: string) => folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
