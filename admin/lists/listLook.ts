import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-admin';
import type { TableLook } from '../../console/ui/data/DataTable';
import { chooseColumns, chosenColumns, visibleColumns } from '../../console/ui/data/tableKeys';
import { useStored } from '../../console/ui/stored';

/*
 * Columns and density of a list. The address takes precedence, as for a saved view, so that it can be shared;
 * without them, the user's last choice on this device applies.
 */

const KEYS = ['columns', 'density'] as const;
type Named = Partial<Record<(typeof KEYS)[number], string>>;

/** Longer than any valid value; rejects broken links. */
const MAX_LENGTH = 3000;

export function lookIn(search: string): Named {
  const params = new URLSearchParams(search);
  const columns = params.get('columns') ?? '';
  const density = params.get('density');
  return {
    ...(columns !== '' && columns.length <= MAX_LENGTH ? { columns } : {}),
    ...(density === 'compact' || density === 'normal' ? { density } : {}),
  };
}

export function withLook(search: string, look: Named): string {
  const params = new URLSearchParams(search);
  for (const key of KEYS) if (look[key] !== undefined) params.set(key, look[key]);
  return `?${params}`;
}

const isSame = (one: Named, other: Named) => KEYS.every((key) => one[key] === other[key]);

/** As stored in a saved view: comma-separated column IDs, and `compact` or `normal`. */
export type NamedLook = Required<Named>;

interface ListLook extends TableLook {
  named: NamedLook;
}

type Columns = readonly { id: string; defaultHidden?: boolean }[];

/** @param id of the table */
export function useListLook(id: string, columns: Columns): ListLook {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [stored, setStored] = useStored(`columns:${id}`, '');
  const [storedDensity, setStoredDensity] = useStored(`density:${id}`, '');
  const here = lookIn(search);
  const [kept, setKept] = useState(here);
  // react-admin drops other parameters when it updates the address; an empty query resets to defaults.
  const named: Named = search === '' ? {} : { ...kept, ...here };
  if (!isSame(named, kept)) setKept(named);
  const address = withLook(search, named);
  const isWhole = isSame(named, here);
  useEffect(() => {
    if (!isWhole) navigate(pathname + address, { replace: true });
  }, [isWhole, navigate, pathname, address]);

  const fromAddress = named.columns === undefined ? null : chooseColumns(columns, named.columns.split(','));
  const chosen = fromAddress ?? stored;
  // Operators scan many rows: compact unless the user chooses otherwise.
  const isDense = (named.density ?? storedDensity) !== 'normal';
  const change = (look: Named) => navigate(pathname + withLook(search, look), { replace: true });
  const idsOf = (choice: string) =>
    visibleColumns(columns, choice)
      .map((column) => column.id)
      .join(',');
  return {
    columns: chosen,
    isDense,
    named: { columns: idsOf(chosen), density: isDense ? 'compact' : 'normal' },
    onColumns: (choice) =>
      named.columns === undefined ? setStored(choice) : change({ columns: chosenColumns(columns, choice) }),
    onDense: (dense) =>
      named.density === undefined
        ? setStoredDensity(dense ? '' : 'normal')
        : change({ density: dense ? 'compact' : 'normal' }),
  };
}
