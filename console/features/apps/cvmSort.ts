import type { Cvm } from '../../../generated/api/types.gen';
import { ownValue } from '../../lib/ownValue';
import { currentMicros } from '../../lib/billing/spend';

/** Sorts an app's CVMs here, because the API returns all of them in one response. */

export interface CvmSort {
  by: string;
  descending: boolean;
}

/** Lost CVMs and errors first, then changing, running and stopped, as in the list of apps. */
const statusRank = ({ status }: Cvm): number =>
  status === 'error' || status === 'lost' ? 0 : status === 'running' ? 2 : status === 'stopped' ? 3 : 1;

const keys: Readonly<Record<string, (cvm: Cvm) => string | number>> = {
  name: (cvm) => cvm.name,
  status: statusRank,
  revision: (cvm) => cvm.revision_number ?? 0,
  host: (cvm) => cvm.teepod?.name ?? '',
  rate: currentMicros,
  created: (cvm) => cvm.created_at,
  updated: (cvm) => cvm.updated_at,
};

/** Reads the sort from the address; null for none or an unknown column. */
export function readCvmSort(search: string): CvmSort | null {
  const query = new URLSearchParams(search);
  const by = query.get('sort') ?? '';
  return Object.hasOwn(keys, by) ? { by, descending: query.get('order') === 'desc' } : null;
}

/** Returns the address's search with this sort. */
export function withCvmSort(search: string, { by, descending }: CvmSort): string {
  const query = new URLSearchParams(search);
  query.set('sort', by);
  if (descending) query.set('order', 'desc');
  else query.delete('order');
  return `?${query}`;
}

// Numbers in names count as numbers: web-2 before web-10.
const { compare } = new Intl.Collator('en', { numeric: true });

/** Ties keep the server's order, newest first. */
export function sortCvms(cvms: readonly Cvm[], sort: CvmSort | null): Cvm[] {
  const key = sort === null ? undefined : ownValue(keys, sort.by);
  if (sort === null || key === undefined) return [...cvms];
  const sign = sort.descending ? -1 : 1;
  return cvms.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    return (
      sign *
      (typeof left === 'number' && typeof right === 'number'
        ? left - right
        : compare(String(left), String(right)))
    );
  });
}
