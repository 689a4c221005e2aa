import { useEffect, useState, type RefObject } from 'react';

/** Table widths at which columns are hidden, pixels; `tableStyles` has the same limits as container queries. */
const FIT = { phone: 560, narrow: 720, medium: 960, large: 1100 } as const;

/** How many columns have room: "phone" stacks each row in two lines. */
export type Fit = 'phone' | 'narrow' | 'medium' | 'large' | 'wide';

export function fitOf(width: number): Fit {
  if (width <= FIT.phone) return 'phone';
  if (width <= FIT.narrow) return 'narrow';
  if (width <= FIT.medium) return 'medium';
  return width <= FIT.large ? 'large' : 'wide';
}

interface Fitted {
  priority?: 1 | 2 | 3 | 4;
  phone?: 'end' | 'meta' | 'line' | 'hide';
}

/** The lowest priority that has room. */
const SHOWN = { narrow: 1, medium: 2, large: 3, wide: 4 } as const;

/** Returns the place of a column in a two-line phone row. */
export const phoneOf = (column: Fitted, index: number) =>
  column.phone ?? (index === 0 ? undefined : index === 1 ? 'end' : index < 4 ? 'meta' : 'hide');

/** Whether a table this wide has room for the column, the `index`th of those shown. */
export function fits(column: Fitted, index: number, fit: Fit): boolean {
  if (fit === 'phone') return phoneOf(column, index) !== 'hide';
  return (column.priority ?? 1) <= SHOWN[fit];
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
