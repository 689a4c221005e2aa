import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Font } from 'fontkit';
import { lacking } from './typeset';

const { resolve } = createRequire(import.meta.url);

/** Parsed fonts, by file. Reading one takes most of a document's rendering time. */
const parsed = new Map<string, Promise<Font>>();

function read(file: string): Promise<Font> {
  const known = parsed.get(file);
  if (known) return known;
  const font = (async () => {
    const [{ create }, bytes] = await Promise.all([import('fontkit'), readFile(file)]);
    return create(bytes);
  })();
  parsed.set(file, font);
  // After a disk error, retry with the next document.
  font.catch(() => parsed.delete(file));
  return font;
}

/** Latin, Greek, Cyrillic, Arabic, Hebrew and symbols. */
const deJaVu = (name: string) => read(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

/** Fonts of 4 to 8 MB for what DejaVu lacks, read once a document needs them. */
const OTHERS = [
  {
    needed:
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u,
    package: '@embedpdf/fonts-sc',
    file: 'NotoSansHans-Regular.otf',
  },
  { needed: /\p{Script=Hangul}/u, package: '@embedpdf/fonts-kr', file: 'NotoSansKR-Regular.otf' },
] as const;

/** Returns the fonts that a text needs. Characters that none of them has are shown in another way. */
export async function readFonts(text: string): Promise<{ regular: Font; bold: Font; others: Font[] }> {
  const [regular, bold] = await Promise.all([deJaVu('DejaVuSans'), deJaVu('DejaVuSans-Bold')]);
  const others: Font[] = [];
  let left = lacking(text, regular);
  for (const other of OTHERS) {
    if (!other.needed.test(left)) continue;
    const font = await readOther(other);
    if (!font) continue;
    others.push(font);
    left = lacking(left, font);
  }
  return { regular, bold, others };
}

/** @returns null if it isn't installed; the document is then rendered without it */
async function readOther({ package: name, file }: (typeof OTHERS)[number]): Promise<Font | null> {
  try {
    // The package exports only its code, which is next to the fonts.
    return await read(path.join(path.dirname(resolve(name)), '../fonts', file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' || code === 'ENOENT') return null;
    throw error;
  }
}
