/** Where axe must measure contrast, on pages that share most of their styles. */

/** Marks the elements of this page whose contrast is measured. */
export const CONTRAST_MARK = 'data-measure-contrast';

/**
 * Marks one to three elements for each combination of text style and backgrounds that `known` doesn't have, and returns the
 * combinations. Measuring every element took three quarters of axe's time, again for the same few styles. Runs in the page,
 * so it uses nothing from this file.
 */
export function markNewStyles({ known, mark }: { known: readonly string[]; mark: string }): string[] {
  const MOST = 3;
  const seen = new Set(known);
  const marked = new Map<string, number>();
  const behind = new Map<Element, string>();
  /** The backgrounds and opacities that an element's text is painted over, down to an opaque color. */
  const backgroundsOf = (element: Element | null): string => {
    if (element === null) return '';
    const found = behind.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element);
    const rest = backgroundsOf(element.parentElement);
    const own = [
      backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor,
      backgroundImage === 'none' ? '' : backgroundImage,
      opacity === '1' ? '' : opacity,
      filter === 'none' ? '' : filter,
      mixBlendMode === 'normal' ? '' : mixBlendMode,
    ].join('');
    const all = own === '' ? rest : `${own} ${rest}`;
    behind.set(element, all);
    return all;
  };
  /** FNV-1a: known styles travel to each page. */
  const short = (text: string): string => {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return (hash >>> 0).toString(36);
  };
  const hasText = (element: Element): boolean =>
    /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
    );
  for (const element of document.querySelectorAll('body *')) {
    element.removeAttribute(mark);
    if (!hasText(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const style = short([color, fontSize, fontWeight, textShadow, backgroundsOf(element)].join('|'));
    const count = marked.get(style) ?? 0;
    if (seen.has(style) || count === MOST) continue;
    marked.set(style, count + 1);
    element.setAttribute(mark, '');
  }
  return [...marked.keys()];
}
