import { appPath } from '../../../lib/paths';

/** Search parameters of the revisions page. */
export interface RevisionsSearch {
  /** The older revision, `rev_…`. */
  from?: string;
  /** The newer revision. */
  to?: string;
  page?: number;
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^rev_[\w-]{1,60}$/.test(value);

export function revisionsSearch({ from, to, page }: Record<string, unknown>): RevisionsSearch {
  const number = Number(page);
  return {
    ...(isId(from) ? { from } : {}),
    ...(isId(to) ? { to } : {}),
    ...(Number.isInteger(number) && number > 1 && number < 10_000 ? { page: number } : {}),
  };
}

export function revisionsPath(teamSlug: string, appId: string, search: RevisionsSearch = {}): string {
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return appPath(teamSlug, appId, 'revisions') + (query === '' ? '' : `?${query}`);
}
