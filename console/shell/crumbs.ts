import { brandName } from '../ui/brand/installation';
import type { Crumb } from '../ui/layout/frameData';

interface Source {
  params: Record<string, string | undefined>;
  loaderData: unknown;
  search: Record<string, unknown>;
}

type Label = string | ((source: Source) => string);

/** The parts of a route match used here. */
export interface SlotMatch {
  pathname: string;
  params: object;
  search?: object;
  loaderData?: unknown;
  /** The router's loading state. */
  status?: string;
  /** Set if the address continues past the last matching route. */
  _notFound?: boolean;
  error?: unknown;
  staticData: {
    crumb?: Label | null;
    title?: Label;
  };
}

/** Returns the breadcrumb of the matched routes, outermost first; ends with the error if the page failed. */
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

/** Returns a short reason why the page can't be shown; null if it can. */
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

/** Uses the name from the loaded data, falling back to the route's. */
function labelOf(
  { loaderData, params, search = {} }: SlotMatch,
  label: Label | null | undefined,
): string | null {
  if (label === null || label === undefined) return null;
  if (hasCrumb(loaderData)) return loaderData.crumb;
  return typeof label === 'string'
    ? label
    : label({ params: params as Source['params'], loaderData, search: search as Source['search'] });
}

/** Returns steps that are not part of the address, such as a CVM's app. */
function above(data: unknown): readonly Crumb[] {
  return typeof data === 'object' && data !== null && 'crumbs_above' in data
    ? (data.crumbs_above as readonly Crumb[])
    : [];
}

function hasCrumb(data: unknown): data is { crumb: string } {
  return typeof data === 'object' && data !== null && 'crumb' in data && typeof data.crumb === 'string';
}

/** Returns the titles of the matched routes, outermost first. */
export const titlesOf = (matches: readonly SlotMatch[]): string[] =>
  matches.flatMap((match) => labelOf(match, match.staticData.title) ?? []);

/** Returns "Logs · web-1 · Acme · Teehouse": page first, because browser tabs show the beginning. */
export function titleOf(matches: readonly SlotMatch[], product = brandName()): string {
  const titles = pageFault(matches) !== null ? [] : titlesOf(matches);
  const words = titles.length > 0 ? titles : crumbsOf(matches).map((crumb) => crumb.label);
  // An app and its only CVM often share a name; it appears once.
  const said = words.filter((word, i) => word !== words[i - 1]);
  return [...said.reverse(), product].join(' · ');
}
