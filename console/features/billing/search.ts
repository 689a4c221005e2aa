import type { TransactionKind } from '../../../generated/api/types.gen';
import { ownValue } from '../../lib/ownValue';
import { kindTexts } from './texts';

/** Which team's money; the address names none otherwise. The key is always present, so that a rejected value goes. */
export interface BillingSearch {
  team: string | undefined;
}

export const billingSearch = ({ team }: Record<string, unknown>): BillingSearch => ({
  team: typeof team === 'string' && team !== '' ? team : undefined,
});

export interface TransactionsSearch extends BillingSearch {
  kind: TransactionKind | undefined;
}

export function transactionsSearch(search: Record<string, unknown>): TransactionsSearch {
  const { kind } = search;
  const known = typeof kind === 'string' && ownValue(kindTexts, kind) !== undefined;
  return { ...billingSearch(search), kind: known ? (kind as TransactionKind) : undefined };
}

/** Returns the address of the list with this search. */
export function transactionsHref({ team, kind }: TransactionsSearch): string {
  const query = new URLSearchParams();
  if (team !== undefined) query.set('team', team);
  if (kind !== undefined) query.set('kind', kind);
  const text = query.toString();
  return `/transactions${text === '' ? '' : `?${text}`}`;
}
