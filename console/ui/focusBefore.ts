/** Selects controls that the keyboard reaches. */
export const FOCUSABLE = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex="0"]']
  .map((selector) => `${selector}:not(:disabled, [tabindex="-1"])`)
  .join(', ');

/** Returns the visible control before an element, in document order. */
export function controlBefore(element: Element): HTMLElement | undefined {
  const before = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (one) =>
      (element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 &&
      one.checkVisibility(),
  );
  return before.at(-1);
}

/**
 * Focuses the control before an element that is about to disappear with the focused one: without this, keyboard users
 * would start over at the top of the page.
 */
export function focusBefore(element: Element): void {
  controlBefore(element)?.focus();
}

/**
 * Returns what takes the place of a control that disappeared from a group; undefined if nothing is left there.
 * @param following how many controls came after it: the primary one is the last, as Start and Stop are
 */
export const inPlaceOf = <Control>(left: readonly Control[], following: number): Control | undefined =>
  left[Math.max(0, left.length - 1 - following)];

/** Returns the heading of the section that an element is in, or else the page's, as an element that can be focused. */
export function headingOf(element?: Element): HTMLElement | null {
  const own = element?.closest('section')?.querySelector('h2');
  const heading = own ?? document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  return heading;
}

/** Returns the index of the row that takes the place of one that disappeared; -1 if none is left. */
export const rowInPlaceOf = (at: number, left: number): number => Math.min(at, left - 1);
