import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from 'fontkit';
import type { PublicTrust } from '../../../../generated/api/types.gen';
import { encodePng } from './png';
import { Raster, type Color } from './raster';

/** The picture that link previews show for a published app. */

export interface AppPicture {
  name: string;
  team_name: string;
  trust: PublicTrust;
  compose_hash: string;
}

/** What previews expect (Open Graph). */
const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 80];

const BACKGROUND: Color = [0xf6, 0xf4, 0xf0];
const TEXT: Color = [0x1b, 0x1a, 0x18];
const MUTED: Color = [0x5d, 0x59, 0x52];
const ACCENT: Color = [0x1f, 0x66, 0x50];
const SIMULATED: Color = [0x6b, 0x4f, 0x8f];

/** Never that it is verified, and never in green: only the reader's browser can say so. */
const TRUST: Readonly<Record<PublicTrust, { text: string; color: Color }>> = {
  hardware: { text: 'Verify it in your own browser', color: TEXT },
  simulated: { text: 'Simulated: no TEE hardware', color: SIMULATED },
};

interface Fonts {
  regular: Font;
  bold: Font;
}

let fonts: Promise<Fonts> | undefined;

/** Fonts with Latin, Greek and Cyrillic letters; read with the first picture. */
function readFonts(): Promise<Fonts> {
  fonts ??= (async () => {
    const { create } = await import('fontkit');
    const { resolve } = createRequire(import.meta.url);
    const read = async (name: string) => create(await readFile(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));
    return { regular: await read('DejaVuSans'), bold: await read('DejaVuSans-Bold') };
  })();
  // After a disk error, retry with the next picture.
  fonts.catch(() => (fonts = undefined));
  return fonts;
}

/** Returns the picture as PNG. */
export async function appPicture({ name, team_name, trust, compose_hash }: AppPicture): Promise<Buffer> {
  const { regular, bold } = await readFonts();
  const raster = new Raster(WIDTH, HEIGHT, BACKGROUND);
  raster.rectangle(0, 0, 16, HEIGHT, TRUST[trust].color);
  write(raster, bold, 'Teehouse', { y: 120, size: 36, color: ACCENT });
  const lines = wrap(bold, name, 76, 2);
  lines.forEach((line, index) => write(raster, bold, line, { y: 270 + index * 92, size: 76, color: TEXT }));
  const [team = ''] = wrap(regular, `Published by ${team_name}`, 34, 1);
  write(raster, regular, team, { y: 270 + lines.length * 92 - 20, size: 34, color: MUTED });
  write(raster, bold, TRUST[trust].text, { y: 520, size: 34, color: TRUST[trust].color });
  write(raster, regular, `Compose hash ${compose_hash.slice(0, 16)}…`, { y: 570, size: 26, color: MUTED });
  return encodePng(raster);
}

/** The font's glyph of each character, of what has none a question mark's. */
const glyphsOf = (font: Font, text: string) =>
  [...text].map((char) => {
    const code = char.codePointAt(0) ?? 0;
    return font.glyphForCodePoint(font.hasGlyphForCodePoint(code) ? code : 0x3f);
  });

const widthOf = (font: Font, text: string, size: number) =>
  glyphsOf(font, text).reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) * (size / font.unitsPerEm);

/** Breaks text at spaces, or within a word that is too long, and ends what is left over with an ellipsis. */
function wrap(font: Font, text: string, size: number, most: number): string[] {
  const fits = (line: string) => widthOf(font, line, size) <= WIDTH - 2 * MARGIN;
  // Control characters and those that reorder text have no place in a picture.
  let rest = [...text.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim()].slice(0, 200);
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

interface Place {
  /** Of the baseline. */
  y: number;
  size: number;
  color: Color;
}

function write(raster: Raster, font: Font, text: string, { y, size, color }: Place): void {
  const scale = size / font.unitsPerEm;
  let x = MARGIN;
  for (const { path, advanceWidth } of glyphsOf(font, text)) {
    raster.fill(path.commands, x, y, scale, color);
    x += advanceWidth * scale;
  }
}
