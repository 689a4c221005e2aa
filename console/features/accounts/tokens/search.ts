import type { ApiToken } from '../../../../generated/api/types.gen';

export interface TokensSearch {
  state?: ApiToken['state'] | undefined;
  /** Whether the create dialog is open. In the address, so it can be linked and Back closes it. */
  new?: true | undefined;
}

export const STATES: Record<ApiToken['state'], string> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

export function tokensSearch({ state, new: create }: Record<string, unknown>): TokensSearch {
  const isState = typeof state === 'string' && Object.hasOwn(STATES, state);
  return {
    state: isState ? (state as ApiToken['state']) : undefined,
    new: create === true || create === 'true' ? true : undefined,
  };
}

/** Returns the list's address with this search. `base` is the page's own address, which has two forms. */
export function tokensHref(base: string, { state, new: create }: TokensSearch): string {
  const search = new URLSearchParams();
  if (state !== undefined) search.set('state', state);
  if (create) search.set('new', 'true');
  const text = search.toString();
  return text === '' ? base : `${base}?${text}`;
}
