import { useState } from 'react';
import { mainId, useAnnounce } from '../announce';
import type { Selection } from './DataTable';

/** Selected rows of the rows shown: rows that leave the list are no longer selected. */
export function useSelectedRows<R>(
  rows: readonly R[],
  rowId: (row: R) => string,
): { selection: Selection; chosen: R[]; clear: () => void } {
  const announce = useAnnounce();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter((row) => ids.has(rowId(row)));
  const select = (next: Set<string>) => {
    setIds(next);
    announce(`${next.size} selected`);
  };
  const shown = new Set(chosen.map(rowId));
  return {
    chosen,
    clear: () => {
      select(new Set());
      // The bar goes away with its buttons, and must not take the focus with it.
      document.getElementById(mainId)?.focus({ preventScroll: true });
    },
    selection: {
      selected: shown,
      onToggle: (id) => {
        const next = new Set(shown);
        if (!next.delete(id)) next.add(id);
        select(next);
      },
      onPage: (all) => select(all ? new Set(rows.map(rowId)) : new Set()),
    },
  };
}
