import { useState } from 'react';
import { useNavigate } from 'react-admin';
import { isTyping, useDocumentKey } from '../../console/ui/controls/keys';
import { internalOf } from '../frame/RouterLink';

interface Keys {
  /** Returns the address of a row's edit form. */
  edit?: (id: string) => string | undefined;
  select?: (id: string) => void;
}

/**
 * Shortcuts: `/` searches, `e` edits and `x` selects the focused row, `?` shows help. The table and the browser handle j, k
 * and Enter. Inactive while typing or when a dialog is open.
 */
export function useListKeys({ edit, select }: Keys): [help: boolean, close: () => void] {
  const navigate = useNavigate();
  const [help, setHelp] = useState(false);
  useDocumentKey(
    (event) => {
      const active = document.activeElement as HTMLElement | null;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(active))
        return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
      const row = active?.closest<HTMLElement>('[data-row-id]')?.dataset.rowId;
      const href = event.key === 'e' && row !== undefined ? edit?.(row) : undefined;
      if (event.key === '/') document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      else if (event.key === '?') setHelp(true);
      else if (event.key === 'x' && row !== undefined && select) select(row);
      else if (href !== undefined) navigate(internalOf(href));
      else return;
      event.preventDefault();
    },
    { first: true },
  );
  return [help, () => setHelp(false)];
}
