import { useState } from 'react';
import { mainId, useAnnounce } from '../announce';
import type { Selection } from './DataTable';

/** Selected rows among those shown: rows that leave the list are deselected. */
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
      // The bar disappears with its buttons, so the focus moves to the main region.
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
