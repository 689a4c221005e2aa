import type { ApiToken } from '../../../generated/api/types.gen';
import { tokensPath } from '../../lib/paths';

export interface TokensSearch {
  state?: ApiToken['state'] | undefined;
  /** The create dialog is open: linkable, and Back closes it. */
  new?: true | undefined;
}

export const STATES: Record<ApiToken['state'], string> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

export function tokensSearch({ state, new: create }: Record<string, unknown>): TokensSearch {
  return {
    ...(typeof state === 'string' && Object.hasOwn(STATES, state)
      ? { state: state as ApiToken['state'] }
      : {}),
    ...(create === true || create === 'true' ? { new: true } : {}),
  };
}

/** The same list elsewhere: `base` is the page's own address, for the page has two. */
export function tokensHref(base: string, { state, new: create }: TokensSearch): string {
  const search = new URLSearchParams();
  if (state !== undefined) search.set('state', state);
  if (create) search.set('new', 'true');
  const text = search.toString();
  return text === '' ? base : `${base}?${text}`;
}

export const createTokenHref = (teamSlug: string) => tokensHref(tokensPath(teamSlug), { new: true });
