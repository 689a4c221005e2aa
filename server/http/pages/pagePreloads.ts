import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '../../../console/lib/ownValue';

/** The fields of Vite's manifest entries used here. */
interface Chunk {
  file: string;
  imports?: string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

const START = 'index.html';
/** A page's own code, split from its route file. */
const PAGE = /^routes\/([^?]+)\.tsx\?tsr-split=component$/;

/** Reads the manifest of a built app. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;

/** Returns the files loaded with these chunks, following static imports. */
export function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = ownValue(manifest, name);
    if (!chunk) throw new Error(`The build has no ${name}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    open.push(...(chunk.imports ?? []));
  }
  return files;
}

/**
 * Returns a console page's scripts other than the entry script and its imports, for the browser to load in parallel.
 * Pages are found by route file name: `$teamSlug.index` is `/$teamSlug` inside the layout `$teamSlug`. A folder is the
 * start of its files' names.
 */
export function createPagePreloads(manifest: Manifest): (path: string) => readonly string[] {
  const routes = Object.keys(manifest).flatMap((key) => {
    const id = PAGE.exec(key)?.[1];
    return id === undefined ? [] : [{ key, segments: id.split(/[./]/) }];
  });
  const started = filesOf(manifest, [START]);
  const pages = routes.map(({ segments }) => {
    const layouts = routes.filter(
      (outer) =>
        outer.segments.length <= segments.length &&
        outer.segments.every((segment, at) => segment === segments[at]),
    );
    const files = filesOf(
      manifest,
      layouts.map(({ key }) => key),
    );
    const address = segments.filter((segment) => !segment.startsWith('_') && segment !== 'index');
    return {
      address,
      depth: segments.length,
      scripts: [...files].filter((file) => file.endsWith('.js') && !started.has(file)),
    };
  });
  // Prefer a fixed segment over a parameter, and an index over its layout.
  const params = (address: readonly string[]) => address.filter((segment) => segment.startsWith('$')).length;
  pages.sort((a, b) => params(a.address) - params(b.address) || b.depth - a.depth);
  return (path) => {
    const wanted = path.split('/').filter(Boolean);
    const page = pages.find(
      ({ address }) =>
        address.length === wanted.length &&
        address.every((segment, at) => segment.startsWith('$') || segment === wanted[at]),
    );
    return page?.scripts ?? [];
  };
}
