import type { Crumb } from '../../ui/layout/frameData';

interface Source {
  params: Record<string, string | undefined>;
  loaderData: unknown;
}

/** What this file needs of a route match. */
export interface SlotMatch {
  pathname: string;
  params: object;
  loaderData?: unknown;
  staticData: {
    crumb?: string | ((source: Source) => string) | null;
    title?: string;
  };
}

/** The breadcrumb of the matched routes, outermost first. */
export function crumbsOf(matches: readonly SlotMatch[]): Crumb[] {
  return matches.flatMap((match) => {
    const label = labelOf(match);
    return label === null ? [] : [{ label, href: match.pathname.replace(/(.)\/$/, '$1') }];
  });
}

function labelOf({ staticData, loaderData, params }: SlotMatch): string | null {
  const { crumb } = staticData;
  if (crumb === null || crumb === undefined) return null;
  if (hasCrumb(loaderData)) return loaderData.crumb;
  return typeof crumb === 'string' ? crumb : crumb({ params: params as Source['params'], loaderData });
}

function hasCrumb(data: unknown): data is { crumb: string } {
  return typeof data === 'object' && data !== null && 'crumb' in data && typeof data.crumb === 'string';
}

/** "Logs · web-1 · Acme · Teehouse": the page first, because tabs of a browser show the beginning. */
export function titleOf(matches: readonly SlotMatch[], product = 'Teehouse'): string {
  const own = matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title;
  const words =
    own === undefined
      ? crumbsOf(matches)
          .map((crumb) => crumb.label)
          .reverse()
      : [own];
  return [...words, product].join(' · ');
}
