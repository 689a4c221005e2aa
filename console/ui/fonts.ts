import { css } from '@emotion/react';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import interExt from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2';
import jetBrainsMono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2';

/*
 * Fonts are self-hosted from npm: no request leaves the server's own origin. Latin only, with latin-ext loaded only
 * when a character needs it: two faces instead of the packages' fourteen. Part of the script, because a style sheet
 * would delay the first paint.
 */

const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const LATIN_EXT =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';

const face = (family: string, url: string, range: string, weights: string) => css`
  @font-face {
    font-family: '${family}';
    font-style: normal;
    font-display: swap;
    font-weight: ${weights};
    src: url('${url}') format('woff2-variations');
    unicode-range: ${range};
  }
`;

export const fontFaces = [
  face('Inter Variable', inter, LATIN, '100 900'),
  face('Inter Variable', interExt, LATIN_EXT, '100 900'),
  face('JetBrains Mono Variable', jetBrainsMono, LATIN, '100 800'),
  // Arial with Inter's metrics, so that the swap causes no layout shift.
  css`
    @font-face {
      font-family: 'Inter Fallback';
      src: local('Arial'), local('Liberation Sans');
      ascent-override: 90.44%;
      descent-override: 22.52%;
      line-gap-override: 0%;
      size-adjust: 107.12%;
    }
  `,
];
