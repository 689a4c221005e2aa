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
  /** The router's word for how loading went. */
  status?: string;
  /** The address continues beyond what any route serves. */
  _notFound?: boolean;
  error?: unknown;
  staticData: {
    crumb?: string | ((source: Source) => string) | null;
    title?: string;
  };
}

/** The breadcrumb of the matched routes, outermost first; where the page failed, why. */
export function crumbsOf(matches: readonly SlotMatch[]): Crumb[] {
  const failed = matches.findIndex((match) => faultOf(match) !== null && match._notFound !== true);
  const shown = failed === -1 ? matches : matches.slice(0, failed);
  const crumbs: Crumb[] = shown.flatMap((match) => {
    const label = labelOf(match);
    return label === null ? [] : [{ label, href: match.pathname.replace(/(.)\/$/, '$1') }];
  });
  const fault = pageFault(matches);
  return fault === null ? crumbs : [...crumbs, { label: fault }];
}

/** Why the page cannot be shown, in a word or two; null when it can. */
export function pageFault(matches: readonly SlotMatch[]): string | null {
  for (const match of matches) {
    const fault = faultOf(match);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOf({ status, _notFound, error }: SlotMatch): string | null {
  if (_notFound === true || status === 'notFound') return 'Not found';
  if (status !== 'error') return null;
  const code = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return code === 404
    ? 'Not found'
    : code === 403
      ? 'Not allowed'
      : code === 401
        ? 'Sign in'
        : 'Not available';
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
  const fault = pageFault(matches);
  const own =
    fault !== null
      ? undefined
      : matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title;
  const words =
    own === undefined
      ? crumbsOf(matches)
          .map((crumb) => crumb.label)
          .reverse()
      : [own];
  return [...words, product].join(' · ');
}
