import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, both from source and from dist/server. */
export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

export const VERSION = String(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
);

/** Whether this process runs the TypeScript sources (through tsx) and not the build. */
export const FROM_SOURCE = import.meta.url.endsWith('.ts');

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const up = dirname(from);
  if (up === from) throw new Error('package.json not found above the server');
  return findRoot(up);
}
