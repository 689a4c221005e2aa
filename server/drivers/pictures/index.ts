import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from 'fontkit';
import type { PublicTrust } from '../../../generated/api/types.gen';

/** Draws the link-preview picture of a published app, with a native library. */

export interface AppPicture {
  /** Site name. */
  brand: string;
  name: string;
  team_name: string;
  trust: PublicTrust;
  compose_hash: string;
}

/** Size expected by link previews (Open Graph). */
const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 80];

const BACKGROUND = '#f6f4f0';
const TEXT = '#1b1a18';
const MUTED = '#5d5952';
const ACCENT = '#1f6650';
const SIMULATED = '#6b4f8f';

/** Never says verified, and never in green: only the reader's browser can verify it. */
const TRUST: Readonly<Record<PublicTrust, { text: string; color: string }>> = {
  hardware: { text: 'Verify it in your own browser', color: TEXT },
  simulated: { text: 'Simulated: no TEE hardware', color: SIMULATED },
};

/** Covers Latin, Greek and Cyrillic. Also used for invoices. */
const FAMILY = 'DejaVu Sans';

interface Fonts {
  files: string[];
  regular: Font;
  bold: Font;
}

let fonts: Promise<Fonts> | undefined;

/** Loaded with the first picture, to measure text. */
function readFonts(): Promise<Fonts> {
  fonts ??= (async () => {
    const { create } = await import('fontkit');
    const { resolve } = createRequire(import.meta.url);
    const files = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) =>
      resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`),
    );
    const [regular, bold] = await Promise.all(files.map(async (file) => create(await readFile(file))));
    if (!regular || !bold) throw new Error('the fonts of pictures are missing');
    return { files, regular, bold };
  })();
  // After a disk error, retry with the next picture.
  fonts.catch(() => (fonts = undefined));
  return fonts;
}

/** Returns the picture as PNG, drawn on another thread. */
export async function appPicture(shown: AppPicture): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const { files, ...measured } = await readFonts();
  const font = { loadSystemFonts: false, fontFiles: files, defaultFontFamily: FAMILY };
  const picture = await renderAsync(svgOf(shown, measured), { font });
  return picture.asPng();
}

function svgOf(
  { brand, name, team_name, trust, compose_hash }: AppPicture,
  { regular, bold }: Omit<Fonts, 'files'>,
): string {
  const { text, color } = TRUST[trust];
  const names = wrap(bold, name, 76, 2);
  const [site = ''] = wrap(bold, brand, 36, 1);
  const [team = ''] = wrap(regular, `Published by ${team_name}`, 34, 1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${FAMILY}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${BACKGROUND}"/>`,
    `<rect width="16" height="${HEIGHT}" fill="${color}"/>`,
    textAt(120, site, { size: 36, color: ACCENT, bold: true }),
    ...names.map((line, index) => textAt(270 + index * 92, line, { size: 76, color: TEXT, bold: true })),
    textAt(270 + names.length * 92 - 20, team, { size: 34, color: MUTED }),
    textAt(520, text, { size: 34, color, bold: true }),
    textAt(570, `Compose hash ${compose_hash.slice(0, 16)}…`, { size: 26, color: MUTED }),
    '</svg>',
  ].join('');
}

interface Style {
  size: number;
  color: string;
  bold?: boolean;
}

/** `y` is the baseline. */
const textAt = (y: number, text: string, { size, color, bold = false }: Style) =>
  `<text x="${MARGIN}" y="${y}" font-size="${size}" fill="${color}" font-weight="${bold ? 700 : 400}">${escaped(text)}</text>`;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const widthOf = (font: Font, text: string, size: number) =>
  [...text].reduce((sum, char) => sum + font.glyphForCodePoint(char.codePointAt(0) ?? 0).advanceWidth, 0) *
  (size / font.unitsPerEm);

/**
 * Keeps the characters that the font has; control characters and those that reorder text don't belong in a
 * picture.
 */
const drawable = (font: Font, text: string) =>
  [...text.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim()]
    .slice(0, 200)
    .map((char) => (font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0) ? char : '?'));

/** Breaks text at spaces, or within a word that is too long, and ends overflow with an ellipsis. */
function wrap(font: Font, text: string, size: number, most: number): string[] {
  const fits = (line: string) => widthOf(font, line, size) <= WIDTH - 2 * MARGIN;
  let rest = drawable(font, text);
  const lines: string[] = [];
  while (rest.length > 0 && lines.length < most) {
    let end = rest.length;
    while (end > 1 && !fits(rest.slice(0, end).join(''))) end--;
    if (end < rest.length && lines.length === most - 1) {
      while (end > 1 && !fits(`${rest.slice(0, end).join('')}…`)) end--;
      lines.push(`${rest.slice(0, end).join('').trimEnd()}…`);
      break;
    }
    const space = end < rest.length ? rest.lastIndexOf(' ', end) : -1;
    if (space > 0) end = space;
    lines.push(rest.slice(0, end).join('').trim());
    rest = rest.slice(end);
    if (rest[0] === ' ') rest = rest.slice(1);
  }
  return lines;
}
