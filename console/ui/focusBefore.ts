const FOCUSABLE = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex="0"]']
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
