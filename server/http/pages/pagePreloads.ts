import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '../../../console/lib/ownValue';

/** What Vite writes of each chunk into its manifest, as far as it is read here. */
interface Chunk {
  file: string;
  imports?: string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

const START = 'index.html';
/** A page's own code, split off its route file. */
const PAGE = /^routes\/([^?]+)\.tsx\?tsr-split=component$/;

/** Reads the manifest of a built app. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;

/** Returns the files that loading these chunks brings, by following static imports. */
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
 * Returns the scripts of a console page besides the app's start, which names its own, for the browser to load at the same
 * time instead of after it. Pages are found by the names of their route files: `$teamSlug.index` is `/$teamSlug` inside
 * the layout `$teamSlug`.
 */
export function createPagePreloads(manifest: Manifest): (path: string) => readonly string[] {
  const routes = Object.keys(manifest).flatMap((key) => {
    const id = PAGE.exec(key)?.[1];
    return id === undefined ? [] : [{ key, segments: id.split('.') }];
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
  // A fixed segment before a parameter, an index before its layout.
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
