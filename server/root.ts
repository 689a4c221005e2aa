import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of package.json, from source and from dist alike: bundling moves files, so `import.meta.url` alone is no guide. */
export const ROOT = findRoot(path.dirname(fileURLToPath(import.meta.url)));

function findRoot(start: string): string {
  for (let dir = start; ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, 'package.json'))) return dir;
    if (dir === path.dirname(dir)) throw new Error(`no package.json above ${start}`);
  }
}

/** Arguments for `process.execPath` that run one of our programs the way this one runs: built, or from source. */
export function entry(name: 'main' | 'cli' | 'teepod/main'): string[] {
  const built = path.join(ROOT, 'dist/server');
  return fileURLToPath(import.meta.url).startsWith(built + path.sep)
    ? ['--enable-source-maps', path.join(built, `${name}.js`)]
    : ['--import', 'tsx', path.join(ROOT, 'server', `${name}.ts`)];
}
