import type { Crumb } from '../../ui/layout/frameData';

interface Source {
  params: Record<string, string | undefined>;
  loaderData: unknown;
}

type Label = string | ((source: Source) => string);

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
    crumb?: Label | null;
    title?: Label;
  };
}

/** The breadcrumb of the matched routes, outermost first; where the page failed, why. */
export function crumbsOf(matches: readonly SlotMatch[]): Crumb[] {
  const failed = matches.findIndex((match) => faultOf(match) !== null && match._notFound !== true);
  const shown = failed === -1 ? matches : matches.slice(0, failed);
  const crumbs: Crumb[] = shown.flatMap((match) => {
    const label = labelOf(match, match.staticData.crumb);
    if (label === null) return [];
    return [...above(match.loaderData), { label, href: match.pathname.replace(/(.)\/$/, '$1') }];
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

/** What was loaded says its own name; until then, and where it says none, the route does. */
function labelOf({ loaderData, params }: SlotMatch, label: Label | null | undefined): string | null {
  if (label === null || label === undefined) return null;
  if (hasCrumb(loaderData)) return loaderData.crumb;
  return typeof label === 'string' ? label : label({ params: params as Source['params'], loaderData });
}

/** Steps between this one and the one before that are no part of the address: the app of a CVM. */
function above(data: unknown): readonly Crumb[] {
  return typeof data === 'object' && data !== null && 'crumbs_above' in data
    ? (data.crumbs_above as readonly Crumb[])
    : [];
}

function hasCrumb(data: unknown): data is { crumb: string } {
  return typeof data === 'object' && data !== null && 'crumb' in data && typeof data.crumb === 'string';
}

/** "Logs · web-1 · Acme · Teehouse": the page first, because tabs of a browser show the beginning. */
export function titleOf(matches: readonly SlotMatch[], product = 'Teehouse'): string {
  const titles =
    pageFault(matches) !== null
      ? []
      : matches.flatMap((match) => labelOf(match, match.staticData.title) ?? []);
  const words = titles.length > 0 ? titles : crumbsOf(matches).map((crumb) => crumb.label);
  // An app and its only CVM often have one name: once is enough.
  const said = words.filter((word, i) => word !== words[i - 1]);
  return [...said.reverse(), product].join(' · ');
}
