import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../../generated/api/types.gen';
import { parseTemplate } from '../../domain/catalog/template';

/** The templates in folders on the server, by name. */
export interface FolderTemplates {
  all(): readonly Template[];
  find(id: string): Template | undefined;
}

interface Warn {
  warn(fields: object, message: string): void;
}

const MAX_TEMPLATES = 500;
const MAX_BYTES = 131_072;

/**
 * Returns the templates in these folders, one per subfolder. A later folder's template replaces an earlier one
 * with the same ID. An invalid one is skipped with a warning that names its fault. They are read on first use:
 * analyzing their Compose files takes a fifth of a server's startup.
 */
export function templatesIn(folders: readonly string[], log: Warn): FolderTemplates {
  let read: FolderTemplates | undefined;
  const templates = () => (read ??= readTemplates(folders, log));
  return { all: () => templates().all(), find: (id) => templates().find(id) };
}

function readTemplates(folders: readonly string[], log: Warn): FolderTemplates {
  const byId = new Map<string, Template>();
  for (const folder of folders.filter((one) => existsSync(one)))
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
      try {
        if (entry.isSymbolicLink()) throw new Error('a symbolic link: copy the folder instead');
        if (byId.size >= MAX_TEMPLATES && !byId.has(entry.name))
          throw new Error(`more than ${MAX_TEMPLATES} templates`);
        const [meta, compose] = ['template.yaml', 'docker-compose.yml'].map((name) =>
          readText(join(folder, entry.name, name)),
        );
        byId.set(entry.name, parseTemplate(entry.name, meta ?? '', compose ?? ''));
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unreadable';
        log.warn({ folder: join(folder, entry.name), reason }, 'template skipped');
      }
    }
  const all = [...byId.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return { all: () => all, find: (id) => byId.get(id) };
}

function readText(file: string): string {
  if (statSync(file).size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
  return readFileSync(file, 'utf8');
}
