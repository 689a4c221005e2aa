import { appPath } from '../../../lib/paths';

/** Search parameters of the revisions page. */
export interface RevisionsSearch {
  /** The revision to compare it with, `rev_…`; usually the one before. */
  from?: string | undefined;
  /** The chosen revision. */
  to?: string | undefined;
  page?: number | undefined;
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^rev_[\w-]{1,60}$/.test(value);

/** Parses the address. Every key is present, so that invalid raw values don't stay. */
export function revisionsSearch({ from, to, page }: Record<string, unknown>): RevisionsSearch {
  const number = Number(page);
  return {
    from: isId(from) ? from : undefined,
    to: isId(to) ? to : undefined,
    page: Number.isInteger(number) && number > 1 && number < 10_000 ? number : undefined,
  };
}

export function revisionsPath(teamSlug: string, appId: string, search: RevisionsSearch = {}): string {
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return appPath(teamSlug, appId, 'revisions') + (query === '' ? '' : `?${query}`);
}
