import { adminResources, adminSchemas } from '../generated/admin/schemas.gen';
import { ownValue } from '../console/lib/ownValue';

/**
 * Published address of each resource. react-admin's own addresses are fixed (list `/r`, create `/r/create`, edit `/r/:id`,
 * show `/r/:id/show`) with flat resource names; users see these instead, with the record at `…/:id` and the form at
 * `…/:id/edit`.
 */
export const BASE = '/admin';

/** Menu groups with their own path prefix; the others are directly below /admin. */
const FOLDERS: Readonly<Record<string, string>> = {
  infrastructure: 'infra/',
  system: 'system/',
};

/** Published prefix of every resource, from its menu group. */
const PUBLISHED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(adminResources as Readonly<Record<string, { schema: string }>>).map(([name, { schema }]) => {
    const hints = (ownValue(adminSchemas, schema) as { 'x-admin'?: { group?: string } } | undefined)?.[
      'x-admin'
    ];
    return [name, `${ownValue(FOLDERS, hints?.group ?? '') ?? ''}${name}`];
  }),
);

/** Falls back to the resource's name. */
const publishedOf = (resource: string) => ownValue(PUBLISHED, resource) ?? resource;

/** Prefix for unpublished addresses, so that they never collide with react-admin's own. */
const ELSEWHERE = '~';

/** Converts "/infra/teepods/5" to react-admin's "/teepods/5/show". Paths exclude BASE; IDs stay encoded. */
export function toInternal(published: string): string {
  const path = published.replace(/^\/+|\/+$/g, '');
  if (path === '') return '';
  for (const [resource, prefix] of Object.entries(PUBLISHED)) {
    if (path === prefix || path.startsWith(`${prefix}/`)) {
      return join(resource, swap(segments(path.slice(prefix.length)), 'edit', 'show'));
    }
  }
  const [first = ''] = path.split('/');
  return first === ELSEWHERE || Object.hasOwn(PUBLISHED, first) ? `/${ELSEWHERE}/${path}` : `/${path}`;
}

/** Reverses `toInternal`: "/teepods/5/show" → "/infra/teepods/5". */
export function toPublished(internal: string): string {
  const path = internal.replace(/^\/+|\/+$/g, '');
  if (path === '') return '';
  if (path.startsWith(`${ELSEWHERE}/`)) return `/${path.slice(ELSEWHERE.length + 1)}`;
  const [first = '', ...rest] = path.split('/');
  return Object.hasOwn(PUBLISHED, first) ? join(publishedOf(first), swap(rest, 'show', 'edit')) : `/${path}`;
}

const segments = (rest: string) => (rest === '' ? [] : rest.slice(1).split('/'));
const join = (prefix: string, rest: readonly string[]) => `/${[prefix, ...rest].join('/')}`;

/**
 * Swaps the verb without a suffix: `:id/edit` ⇄ `:id` and `:id` ⇄ `:id/show`. `plain` has no suffix on the other side,
 * `word` has none on this side. The third case keeps the mapping one-to-one. Deeper paths are unchanged.
 */
function swap(rest: readonly string[], plain: string, word: string): readonly string[] {
  const [id, verb, ...deeper] = rest;
  if (id === undefined || id === 'create' || deeper.length > 0) return rest;
  if (verb === undefined) return [id, word];
  if (verb === plain) return [id];
  return verb === word ? [id, plain] : rest;
}

/** Published addresses for links. `filter` is in the form the list page reads. */
export const adminHref = {
  home: BASE,
  list: (resource: string, filter?: Record<string, unknown>) =>
    `${BASE}/${publishedOf(resource)}${filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`}`,
  create: (resource: string) => `${BASE}/${publishedOf(resource)}/create`,
  show: (resource: string, id: string | number) =>
    `${BASE}/${publishedOf(resource)}/${encodeURIComponent(id)}`,
  edit: (resource: string, id: string | number) =>
    `${BASE}/${publishedOf(resource)}/${encodeURIComponent(id)}/edit`,
  /** The list of `child` records that belong to one `resource` record. */
  child: (resource: string, id: string | number, child: string) =>
    `${BASE}/${publishedOf(resource)}/${encodeURIComponent(id)}/${child}`,
  /** A page below such a list: `/admin/infra/teepods/5/gpus/7/edit`. */
  deeper: (resource: string, id: string | number, child: string, ...rest: (string | number)[]) =>
    `${BASE}/${[publishedOf(resource), encodeURIComponent(id), child, ...rest.map(encodeURIComponent)].join('/')}`,
};
