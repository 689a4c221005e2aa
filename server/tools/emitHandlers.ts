import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from '../root';
import { operationIdsOf, type ApiDocument } from './emitOperations';

/** Generated table of all handlers. */
export const HANDLERS_FILE = join(ROOT, 'server/operations/handlers.gen.ts');

/**
 * `server/operations/handlers.gen.ts`: every operation and its handler. A handler is the export `<operationId>` of
 * the one file `<operationId>.ts`, in any folder of server/operations.
 * @param folder where to search for handlers
 * @throws if a handler is missing, exists twice, or isn't exported under its operationId; names all such operations
 */
export function emitHandlers(document: ApiDocument, folder = dirname(HANDLERS_FILE)): string {
  const files = sourcesByName(folder);
  const ids = operationIdsOf(document).toSorted();
  const mistakes = ids.flatMap((id) => mistakeOf(id, files.get(id) ?? [], folder));
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  const moduleOf = (id: string) =>
    `./${relative(folder, files.get(id)?.[0] ?? '')
      .split(sep)
      .join('/')
      .replace(/\.ts$/, '')}`;
  return `// This file is written by \`npm run codegen\` from openapi/ and the files of server/operations. Do not edit.

${ids.map((id) => `import { ${id} } from '${moduleOf(id)}';`).join('\n')}
import type { Handlers } from './types';

/** Maps every operation to its handler. A missing handler is a type error. */
export const handlers: Handlers = {
${ids.map((id) => `  ${id},`).join('\n')}
};
`;
}

function sourcesByName(folder: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  if (!existsSync(folder)) return byName;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const [, name] = /^(\w+)\.ts$/.exec(entry.name) ?? [];
    if (name === undefined || !entry.isFile()) continue;
    byName.set(name, [...(byName.get(name) ?? []), join(entry.parentPath, entry.name)].sort());
  }
  return byName;
}

function mistakeOf(id: string, files: readonly string[], folder: string): string[] {
  const named = files.map((file) => `server/operations/${relative(folder, file).split(sep).join('/')}`);
  const [file] = files;
  if (file === undefined)
    return [`${id} has no handler: export const ${id} from server/operations/<subject>/${id}.ts`];
  if (files.length > 1) return [`${id} has ${files.length} handlers: ${named.join(', ')}`];
  const exported = new RegExp(`^export (?:const|(?:async )?function) ${id}\\b`, 'm');
  return exported.test(readFileSync(file, 'utf8')) ? [] : [`${named[0]} does not export ${id}`];
}
