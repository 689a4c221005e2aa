/** Selects where axe must measure contrast, on pages that share most of their styles. */

/** Marks the elements of this page whose contrast is measured. */
export const CONTRAST_MARK = 'data-measure-contrast';

/**
 * Marks up to three elements for each combination of text style and backgrounds that isn't in `known`, and all text
 * over images and gradients, whose contrast depends on its position. A mark's value is its combination. Measuring
 * every element took three quarters of axe's time, for the same few styles. Runs in the page, so it uses nothing
 * from this file.
 */
export function markNewStyles({ known, mark }: { known: readonly string[]; mark: string }): void {
  const MAX_PER_STYLE = 3;
  const seen = new Set(known);
  const marked = new Map<string, number>();
  const behind = new Map<Element, string>();
  /** Returns the backgrounds and effects of an element and its ancestors, from the inside out. */
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
  /** FNV-1a hash, because known styles are sent to each page. */
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
    const backgrounds = backgroundsOf(element);
    const style = short([color, fontSize, fontWeight, textShadow, backgrounds].join('|'));
    const count = marked.get(style) ?? 0;
    const onImage = /url\(|gradient\(/.test(backgrounds);
    if (!onImage && (seen.has(style) || count === MAX_PER_STYLE)) continue;
    marked.set(style, count + 1);
    element.setAttribute(mark, style);
  }
}
