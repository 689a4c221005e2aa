import { resources } from '../../admin/schema/resources';
import { pages } from '../../generated/api/pages.gen';

/** The pages that `npm run photos` opens: every path of the generated route tables, with its parameter values. */

export const WIDTHS = [390, 1280, 1920] as const;
export const SCHEMES = ['light', 'dark'] as const;

export type Visitor = 'signed out' | 'before the second factor' | 'user' | 'administrator';

/** Seeded values for the parameters of console paths, keyed by the path up to the parameter. */
export const SEEDED = [
  '$teamSlug',
  '$appId',
  '$vmUuid',
  '$cvmIdentifier',
  '{agent_framework}-conf',
  '{chat_bot_service}-integration',
  '/invite/$token',
  '/reset-password/$token',
  '/verify-email/$token',
] as const;
export type Seeded = Record<(typeof SEEDED)[number], string>;

/** Records that provide `$id` and `$childId` of an admin path. */
export interface RecordNeed {
  resource: string;
  /** Resource listed below the record; `field` of its records holds the parent's ID. */
  child?: { resource: string; field: string };
}

export interface PhotoPage {
  route: string;
  /** File name without width, scheme and extension. */
  name: string;
  visitor: Visitor;
  records?: RecordNeed;
}

const SIGNED_OUT = /^\/(login|register|reset-password|verify-email|storybook)?(\/|$)/;

function visitorOf(route: string): Visitor {
  if (route.startsWith('/admin')) return 'administrator';
  if (route === '/two-factor') return 'before the second factor';
  return SIGNED_OUT.test(route) ? 'signed out' : 'user';
}

/** @throws if the path's parameters don't belong to records */
function recordsOf(route: string): RecordNeed | undefined {
  const [, resource = '', tail] =
    /^\/admin\/(?:infra\/|system\/)?([a-z-]+)\/\$id(?:\/([a-z-]+))?/.exec(route) ?? [];
  if (resource === '') return undefined;
  if (!resources.some(({ name }) => name === resource))
    throw new Error(`${route}: ${resource} is not an admin resource`);
  const field = resources
    .find(({ name }) => name === tail)
    ?.fields.find(({ reference }) => reference === resource)?.name;
  return { resource, ...(tail !== undefined && field !== undefined && { child: { resource: tail, field } }) };
}

export const photoPages = (routes: readonly string[] = pages): PhotoPage[] =>
  routes.map((route) => {
    const records = recordsOf(route);
    return {
      route,
      name: route.slice(1).replaceAll(/[${}]/g, '').replaceAll('/', '.') || 'root',
      visitor: visitorOf(route),
      ...(records !== undefined && { records }),
    };
  });

/**
 * Returns the URL of a page.
 * @throws if a parameter has no value, as for a new kind of page
 */
export function addressOf(
  { route }: Pick<PhotoPage, 'route'>,
  seeded: Seeded,
  records: { id?: string; childId?: string } = {},
): string {
  const values: Readonly<Record<string, string | undefined>> = {
    ...seeded,
    $id: records.id,
    $childId: records.childId,
  };
  return route.replaceAll(/\$\w+|\{\w+\}-\w+/g, (parameter, at: number) => {
    const value = values[route.slice(0, at + parameter.length)] ?? values[parameter];
    if (value === undefined) throw new Error(`${route}: no value for ${parameter}`);
    return encodeURIComponent(value);
  });
}

/** Returns the pages whose path contains every given word. */
export const matching = (all: readonly PhotoPage[], words: readonly string[]): PhotoPage[] =>
  all.filter(({ route }) => words.every((word) => route.includes(word)));

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns `index.html`: one row per page, its screenshots side by side. `missing`: why a page has none. */
export function contactSheet(all: readonly PhotoPage[], missing: ReadonlyMap<string, string>): string {
  const rows = all.map(({ route, name }) => {
    const why = missing.get(name);
    const shots = SCHEMES.flatMap((scheme) =>
      WIDTHS.map((width) => {
        const file = `${name}-${width}-${scheme}.png`;
        return `<a href="${file}"><img loading="lazy" alt="${escape(route)} at ${width} px, ${scheme}" src="${file}"></a>`;
      }),
    );
    return `<section id="${escape(name)}"><h2>${escape(route)}</h2>${why === undefined ? `<div>${shots.join('')}</div>` : `<p>${escape(why)}</p>`}</section>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Teehouse pages</title>
<style>
  body { font: 14px system-ui, sans-serif; margin: 24px; }
  h2 { font: 600 13px ui-monospace, monospace; margin: 32px 0 8px; }
  div { display: flex; gap: 12px; overflow-x: auto; }
  img { height: 300px; width: auto; max-width: 520px; object-fit: cover; object-position: top; border: 1px solid #ccc; }
</style>
<h1>${all.length} pages, ${missing.size} without photographs</h1>
${rows.join('\n')}
</html>
`;
}
