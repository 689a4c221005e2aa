import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';
import { FOCUSABLE, headingOf, rowInPlaceOf } from '../focusBefore';

export interface RowFocus {
  /** For each row. */
  onFocus: (event: FocusEvent<HTMLTableRowElement>) => void;
  /** For the element that contains the rows. */
  onBlur: (event: FocusEvent) => void;
}

/**
 * Keeps the focus when the focused row disappears, as a removed member's does: the row that takes its place gets it, or
 * the heading if none is left. Dialogs opened from a row's menu count as the row. They can't return the focus to a row
 * that is gone, nor to the entry of a menu that has closed since.
 * @param loading whether rows are yet to come
 */
export function useRowFocus(frame: RefObject<HTMLElement | null>, loading: boolean): RowFocus {
  const held = useRef<{ id: string | undefined; at: number }>(null);
  useEffect(() => {
    const root = frame.current;
    if (!root || loading) return undefined;
    const settle = () => {
      const row = held.current;
      if (!row || hiddenBy(root)) return;
      const rows = rowsOf(root);
      const at = rows.findIndex(({ dataset }) => dataset.rowId === row.id);
      if (at !== -1) row.at = at;
      if (document.activeElement !== document.body) return;
      const next = lastControl(rows[rowInPlaceOf(row.at, rows.length)]) ?? headingOf(root);
      held.current = null;
      next?.focus({ preventScroll: true });
    };
    settle();
    const page = hiddenBy(root);
    if (!page || !held.current) return undefined;
    // The dialog may close later, without another render.
    const observer = new MutationObserver(settle);
    observer.observe(page, { attributes: true, attributeFilter: ['aria-hidden'] });
    return () => observer.disconnect();
  });
  return {
    onFocus: ({ currentTarget: { dataset, sectionRowIndex } }) => {
      held.current = { id: dataset.rowId, at: sectionRowIndex };
    },
    onBlur: ({ relatedTarget: to }) => {
      // Menus and dialogs are beside the page. The focus comes back if another window took it.
      const left = to === null ? document.hasFocus() : frame.current?.closest('body > *')?.contains(to);
      if (left === true) held.current = null;
    },
  };
}

/** Returns the page, hidden from assistive technology while a menu or dialog is open; null if none is. */
const hiddenBy = (root: Element) => root.closest('[aria-hidden="true"]');

const rowsOf = (root: Element) => [...root.querySelectorAll<HTMLElement>('tr[data-row-id]')];

/** Returns the row's menu, or what it has instead. */
const lastControl = (row: Element | undefined): HTMLElement | undefined =>
  [...(row?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter((one) => one.checkVisibility()).at(-1);
