import { useEffect, useState, type RefObject } from 'react';

/** Table widths at which columns are hidden, pixels; `tableStyles` has the same limits as container queries. */
const FIT = { phone: 560, narrow: 720, medium: 960 } as const;

/** How many columns have room: "phone" stacks each row in two lines. */
export type Fit = 'phone' | 'narrow' | 'medium' | 'wide';

export function fitOf(width: number): Fit {
  if (width <= FIT.phone) return 'phone';
  if (width <= FIT.narrow) return 'narrow';
  return width <= FIT.medium ? 'medium' : 'wide';
}

interface Fitted {
  priority?: 1 | 2 | 3;
  phone?: 'end' | 'meta' | 'hide';
}

/** Returns the place of a column in a two-line phone row. */
export const phoneOf = (column: Fitted, index: number) =>
  column.phone ?? (index === 0 ? undefined : index === 1 ? 'end' : index < 4 ? 'meta' : 'hide');

/** Whether a table this wide has room for the column, the `index`th of those shown. */
export function fits(column: Fitted, index: number, fit: Fit): boolean {
  if (fit === 'phone') return phoneOf(column, index) !== 'hide';
  const priority = column.priority ?? 1;
  return fit === 'wide' || priority === 1 || (fit === 'medium' && priority === 2);
}

/** Returns the fit of an element; it re-renders only when that changes, not with every pixel. */
export function useFit(element: RefObject<HTMLElement | null>): Fit {
  const [fit, setFit] = useState<Fit>('wide');
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setFit(fitOf(entry.contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return fit;
}
