import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ROOT } from '../root';
import { ERROR_RESPONSES, genericStatuses } from './errorResponses';
import type { ApiDocument, Operation } from './emitOperations';

/** Merges the API document from its parts in `openapi/`. Their rules are in openapi/README.md. */

/**
 * Subjects of every layer; each may have one file in `openapi/paths` and one in `openapi/schemas`, and a folder in
 * the layers of server/repo.test.ts.
 */
export const SUBJECTS = [
  'accounts',
  'teams',
  'audit',
  'catalog',
  'apps',
  'cvms',
  'hosts',
  'kms',
  'activity',
  'logs',
  'metrics',
  'attestation',
  'network',
  'vault',
  'notifications',
  'webhooks',
  'announcements',
  'billing',
  'public',
  'ai',
  'mcp',
  'agents',
  'platform',
] as const;

const SECTIONS = ['paths', 'schemas', 'examples'] as const;
type Section = (typeof SECTIONS)[number];
type Entries = Record<string, unknown>;

interface Part {
  file: string;
  section: Section;
  entries: Entries;
}

/**
 * Reads and merges the parts.
 * @param folder holds product.yaml, order.yaml, paths/ and schemas/
 * @throws if a part isn't valid YAML, a file isn't named after a subject, a name is defined twice, or order.yaml
 * lists an unknown name; the message names the files
 */
export function readApiDocument(folder = join(ROOT, 'openapi')): ApiDocument {
  const {
    paths: ownPaths,
    components: { schemas: ownSchemas, examples: ownExamples, ...components },
    ...root
  } = readYaml(folder, 'product.yaml') as { paths?: Entries; components: Record<string, Entries> };
  const parts: Part[] = [
    ...partsOf('product.yaml', { paths: ownPaths, schemas: ownSchemas, examples: ownExamples }),
    ...subjectFiles(folder, 'paths').flatMap((file) => partsOf(file, { paths: readYaml(folder, file) })),
    ...subjectFiles(folder, 'schemas').flatMap((file) => partsOf(file, readYaml(folder, file))),
  ];
  const order = readYaml(folder, 'order.yaml') as Partial<Record<Section, string[]>>;
  const merged = Object.fromEntries(
    SECTIONS.map((section) => [
      section,
      merge(
        section,
        parts.filter((part) => part.section === section),
        order[section] ?? [],
      ),
    ]),
  ) as Record<Section, Entries>;
  const document = {
    ...root,
    paths: merged.paths,
    components: { ...components, schemas: merged.schemas, examples: merged.examples },
  } as unknown as ApiDocument;
  addErrorResponses(document);
  return document;
}

function readYaml(folder: string, file: string): Entries {
  const parsed = parseDocument(readFileSync(join(folder, file), 'utf8'));
  const [error] = parsed.errors;
  if (error) throw new Error(`openapi/${file}: ${error.message}`);
  const value: unknown = parsed.toJS();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`openapi/${file}: expected a map at the top level`);
  return value as Entries;
}

/** Returns the files of `paths` or `schemas`, in the order of the subjects. */
function subjectFiles(folder: string, kind: 'paths' | 'schemas'): string[] {
  if (!existsSync(join(folder, kind))) return [];
  const known = SUBJECTS.map((subject) => `${subject}.yaml`);
  const found = readdirSync(join(folder, kind));
  const unknown = found.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `openapi/${kind}/${unknown}: not a subject. Files are named after a subject: ${SUBJECTS.join(', ')}.`,
    );
  return known.filter((name) => found.includes(name)).map((name) => `${kind}/${name}`);
}

function partsOf(file: string, content: Partial<Record<string, unknown>>): Part[] {
  return Object.entries(content)
    .filter(([, entries]) => entries !== undefined)
    .map(([section, entries]) => {
      if (!SECTIONS.some((known) => known === section))
        throw new Error(`openapi/${file}: "${section}" is not allowed here, only schemas and examples`);
      return { file, section: section as Section, entries: entries as Entries };
    });
}

/** Merges parts into one map, in their order except for the ranges that `order` moves. */
function merge(section: Section, parts: readonly Part[], order: readonly string[]): Entries {
  const definedIn = new Map<string, string>();
  for (const { file, entries } of parts)
    for (const name of Object.keys(entries)) {
      const first = definedIn.get(name);
      if (first !== undefined)
        throw new Error(`openapi/${file}: ${section} "${name}" is already defined in openapi/${first}`);
      definedIn.set(name, file);
    }
  const missing = order.find((name) => !definedIn.has(name));
  if (missing !== undefined) throw new Error(`openapi/order.yaml: ${section} has no "${missing}"`);
  const stretches = parts.flatMap(({ entries }) => stretchesOf(Object.entries(entries), new Set(order)));
  const place = new Map(order.map((name, index) => [name, index]));
  const sorted = stretches.toSorted(
    (a, b) => (place.get(a[0]?.[0] ?? '') ?? order.length) - (place.get(b[0]?.[0] ?? '') ?? order.length),
  );
  return Object.fromEntries(sorted.flat());
}

/** Splits a file's entries before each name in `starts`. */
function stretchesOf<E extends readonly [string, unknown]>(
  entries: readonly E[],
  starts: ReadonlySet<string>,
): E[][] {
  const stretches: E[][] = [];
  for (const entry of entries) {
    const open = stretches.at(-1);
    if (open === undefined || starts.has(entry[0])) stretches.push([entry]);
    else open.push(entry);
  }
  return stretches;
}

/** Adds the error responses implied by the rest of an operation, so that parts list only special ones. */
function addErrorResponses(document: ApiDocument): void {
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      const omitted = ((operation as Operation)['x-omit-responses'] ?? []) as string[];
      const generic = genericStatuses(document, operation);
      const unneeded = omitted.find((status) => !generic.has(status));
      if (unneeded !== undefined)
        throw new Error(
          `${operation.operationId}: x-omit-responses lists ${unneeded}, which it doesn't have`,
        );
      for (const status of generic)
        if (!omitted.includes(status))
          operation.responses[status] ??= { $ref: `#/components/responses/${ERROR_RESPONSES[status]}` };
      delete operation['x-omit-responses'];
    }
}
