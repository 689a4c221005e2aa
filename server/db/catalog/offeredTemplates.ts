import type { Template } from '../../../generated/api/types.gen';
import { parseTemplate } from '../../domain/catalog/template';
import type { Db, Tx } from '../core/client';
import {
  MAX_OPERATOR_TEMPLATES,
  offeredOperatorTemplates,
  operatorTemplateFiles,
  operatorTemplatesState,
} from './operatorTemplates';

/** The templates in folders on the server. */
interface FolderTemplates {
  all(): readonly Template[];
  find(id: string): Template | undefined;
}

/**
 * The templates offered by this server. Within a transaction, pass it, since waiting for a second connection
 * could block forever.
 */
export interface Templates {
  /** By name. */
  all(on?: Db | Tx): Promise<readonly Template[]>;
  find(id: string, on?: Db | Tx): Promise<Template | undefined>;
}

interface Warn {
  warn(fields: object, message: string): void;
}

interface Parsed {
  version: string;
  /** Null if it can't be offered. */
  template: Template | null;
}

/** Templates read per batch; other requests are answered between two batches. */
const BATCH = 20;

/**
 * Merges the admin area's templates with those in folders; one with the same ID replaces the folder's. Each
 * call checks for changes with one short statement, so every process offers the same templates, and reads only
 * changed ones. Folders are read on first use.
 */
export function offeredTemplates(db: Db, folders: FolderTemplates, log: Warn): Templates {
  let known: { state: string; byId: ReadonlyMap<string, Template>; all: readonly Template[] | null } = {
    state: '',
    byId: new Map(),
    all: null,
  };
  /** By ID, shared by concurrent calls, so that each template is parsed once. */
  const parsed = new Map<string, Parsed>();
  const parse = (id: string, metadata: string, compose_file: string) => {
    try {
      return parseTemplate(id, metadata, compose_file);
    } catch (error) {
      // Validated when it was saved; the rules may have changed since.
      const reason = error instanceof Error ? error.message : 'unreadable';
      log.warn({ template: id, reason }, 'template skipped');
      return null;
    }
  };
  const read = async (on: Db | Tx, ids: readonly string[]): Promise<Parsed[]> => {
    const rows = ids.length > 0 ? await operatorTemplateFiles(on, ids) : [];
    return rows.map(({ id, version, metadata, compose_file }) => {
      const before = parsed.get(id);
      if (before?.version === version) return before;
      const now = { version, template: parse(id, metadata, compose_file) };
      parsed.set(id, now);
      return now;
    });
  };
  const current = async (on: Db | Tx) => {
    const state = await operatorTemplatesState(on);
    if (state === known.state) return known;
    const offered = await offeredOperatorTemplates(on);
    const byId = new Map<string, Template>();
    for (let first = 0; first < offered.length; first += BATCH) {
      const batch = offered.slice(first, first + BATCH);
      const same = batch.map(({ id }) => parsed.get(id));
      const changed = batch.filter(({ version }, i) => same[i]?.version !== version).map(({ id }) => id);
      const unchanged = same.filter((one, i) => one?.version === batch[i]?.version);
      for (const one of [...unchanged, ...(await read(on, changed))])
        if (one?.template) byId.set(one.template.id, one.template);
    }
    // Evicts removed templates eventually.
    if (parsed.size > 2 * MAX_OPERATOR_TEMPLATES) parsed.clear();
    return (known = { state, byId, all: null });
  };
  return {
    async all(on = db) {
      const now = await current(on);
      return (now.all ??= [...folders.all().filter(({ id }) => !now.byId.has(id)), ...now.byId.values()].sort(
        (a, b) => a.name.localeCompare(b.name, 'en'),
      ));
    },
    async find(id, on = db) {
      return (await current(on)).byId.get(id) ?? folders.find(id);
    },
  };
}
