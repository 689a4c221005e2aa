import { css, type CSSObject, type Interpolation, type Theme } from '@emotion/react';
import { color, focusRing, font, size, tokenSheet, type } from './theme';

const elements: CSSObject = {
  ...tokenSheet,
  '*, *::before, *::after': { boxSizing: 'inherit' },
  // The box around the content of <details>. A separate rule, because browsers that don't know the selector drop
  // the whole rule.
  '::details-content': { boxSizing: 'inherit' },
  html: {
    boxSizing: 'border-box',
    WebkitTextSizeAdjust: '100%',
    scrollbarColor: `${color.control} transparent`,
    scrollPaddingTop: size.topbar,
  },
  body: {
    ...type.body,
    margin: 0,
    fontFamily: font.sans,
    fontFeatureSettings: "'cv05', 'cv08', 'ss03'",
    color: color.text,
    backgroundColor: color.surface,
    WebkitFontSmoothing: 'antialiased',
    MozOsxFontSmoothing: 'grayscale',
    '@media print': { backgroundColor: '#fff' },
  },
  'strong, b': { fontWeight: 700 },
  'h1, h2, h3, h4, p, dl, dd, ol, ul, figure': { margin: 0, padding: 0 },
  'ol, ul': { listStyle: 'none' },
  'button, input, select, textarea': { fontFamily: 'inherit' },
  'code, kbd, pre, samp': { ...type.mono },
  // Icons match the size of the text beside them unless a component overrides it.
  '.lucide': { flex: 'none', width: '1em', height: '1em', strokeWidth: 1.75 },
  ':focus-visible': focusRing,
  '::selection': { backgroundColor: color.accent, color: color.onAccent },
};

const reducedMotion = css`
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
      scroll-behavior: auto !important;
    }
  }
`;

/** Base styles of elements, once per page. */
export const baseSheet: Interpolation<Theme> = [elements, reducedMotion];
