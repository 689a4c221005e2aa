import { useEffect, useState, type RefObject } from 'react';

/** Table widths in pixels at which columns are hidden; `tableStyles` has the same limits as container queries. */
const FIT = { phone: 560, narrow: 720, medium: 960, large: 1100 } as const;

/** Determines which columns fit: "phone" stacks each row in two lines. */
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

/** The lowest priority that still fits. */
const SHOWN = { narrow: 1, medium: 2, large: 3, wide: 4 } as const;

/** Returns a column's position in a two-line phone row. */
export const phoneOf = (column: Fitted, index: number) =>
  column.phone ?? (index === 0 ? undefined : index === 1 ? 'end' : index < 4 ? 'meta' : 'hide');

/** Whether a column fits, as the `index`th of the shown ones. */
export function fits(column: Fitted, index: number, fit: Fit): boolean {
  if (fit === 'phone') return phoneOf(column, index) !== 'hide';
  return (column.priority ?? 1) <= SHOWN[fit];
}

/** Returns an element's fit; re-renders only when the fit changes, not on every pixel. */
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
