import { adminResources, adminSchemas } from '../generated/admin/schemas.gen';

/**
 * Where each resource is published. react-admin's own addresses are fixed (list `/r`, create `/r/create`, edit `/r/:id`,
 * show `/r/:id/show`) and its resource names flat; people see these instead, with the record itself at `…/:id` and the form
 * at `…/:id/edit`.
 */
export const BASE = '/admin';

const OWN: Readonly<Record<string, string>> = {
  credits: 'credits',
  invoices: 'invoices',
  orders: 'orders',
  'promotion-codes': 'promotion-codes',
  transactions: 'transactions',
};

/** Parts of the menu that have a folder of their own in the address; the others stand below /admin itself. */
const FOLDERS: Readonly<Record<string, string>> = { infrastructure: 'infra/', system: 'system/' };

/** Every resource of the document, by the part of the menu it is in. */
const PUBLISHED: Readonly<Record<string, string>> = {
  ...OWN,
  ...Object.fromEntries(
    Object.entries(adminResources as Readonly<Record<string, { schema: string }>>).map(
      ([name, { schema }]) => {
        const hints = (adminSchemas[schema] as { 'x-admin'?: { group?: string } } | undefined)?.['x-admin'];
        return [name, `${FOLDERS[hints?.group ?? ''] ?? ''}${name}`];
      },
    ),
  ),
};

/** A resource without an entry is published under its own name. */
const publishedOf = (resource: string) => PUBLISHED[resource] ?? resource;

/** Addresses that are nobody's, kept apart from react-admin's own so that the two can never be confused. */
const ELSEWHERE = '~';

/** "/infra/teepods/5" → "/teepods/5/show": what react-admin routes by. Paths without BASE, ids as they are encoded. */
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

/** The way back: "/teepods/5/show" → "/infra/teepods/5". */
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
 * `plain` is the verb that has no word of its own on the other side, `word` the one that has none on this: `:id/edit` ⇄ `:id`
 * and `:id` ⇄ `:id/show`. The third case keeps it one to one. Deeper paths pass as they are.
 */
function swap(rest: readonly string[], plain: string, word: string): readonly string[] {
  const [id, verb, ...deeper] = rest;
  if (id === undefined || id === 'create' || deeper.length > 0) return rest;
  if (verb === undefined) return [id, word];
  if (verb === plain) return [id];
  return verb === word ? [id, plain] : rest;
}

/** Published addresses, for links. `filter` and `sort` as the list page reads them. */
export const adminHref = {
  home: BASE,
  list: (resource: string, filter?: Record<string, unknown>) =>
    `${BASE}/${publishedOf(resource)}${filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`}`,
  create: (resource: string) => `${BASE}/${publishedOf(resource)}/create`,
  show: (resource: string, id: string | number) =>
    `${BASE}/${publishedOf(resource)}/${encodeURIComponent(id)}`,
  edit: (resource: string, id: string | number) =>
    `${BASE}/${publishedOf(resource)}/${encodeURIComponent(id)}/edit`,
  /** Records of `child` that belong to one of `resource`. */
  child: (resource: string, id: string | number, child: string) =>
    `${BASE}/${publishedOf(resource)}/${encodeURIComponent(id)}/${child}`,
  /** A page of one of those: `/admin/infra/teepods/5/gpus/7/edit`. */
  deeper: (resource: string, id: string | number, child: string, ...rest: (string | number)[]) =>
    `${BASE}/${[publishedOf(resource), encodeURIComponent(id), child, ...rest.map(encodeURIComponent)].join('/')}`,
};
