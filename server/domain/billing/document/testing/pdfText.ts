import { inflateSync } from 'node:zlib';

/**
 * Returns the text of one of our PDFs according to its fonts' ToUnicode maps, as a search or a screen reader
 * finds it.
 */
export function pdfText(file: Buffer): string {
  const raw = file.toString('latin1');
  const objects = new Map(
    [...raw.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body = '']) => [Number(id), body]),
  );
  const stream = (body: string) => {
    const match = /stream\r?\n([\s\S]*)\r?\nendstream/.exec(body);
    if (!match?.[1]) return '';
    const bytes = Buffer.from(match[1], 'latin1');
    return (body.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  };
  const target = (body: string, key: string) =>
    objects.get(Number(new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1])) ?? '';
  const fonts = new Map<string, string[]>();
  for (const body of objects.values())
    for (const [, list = ''] of body.matchAll(/\/Font <<([\s\S]*?)>>/g))
      for (const [, name = '', id] of list.matchAll(/\/(\w+) (\d+) 0 R/g))
        fonts.set(name, glyphsOf(stream(target(objects.get(Number(id)) ?? '', 'ToUnicode'))));
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b(?!s)/.test(body));
  return pages.map((page) => textOf(stream(target(page, 'Contents')), fonts)).join('\n');
}

/** Characters by glyph. */
function glyphsOf(map: string): string[] {
  const glyphs: string[] = [];
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
    // A ligature is a glyph for several characters.
    [...list.matchAll(/<([0-9a-f ]+)>/gi)].forEach(([, hex = ''], index) => {
      const text = Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
      glyphs[Number.parseInt(from, 16) + index] = text;
    });
  return glyphs;
}

function textOf(content: string, fonts: ReadonlyMap<string, string[]>): string {
  const lines: string[] = [];
  let glyphs: string[] = [];
  for (const [, font, shown] of content.matchAll(/\/(\w+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) glyphs = fonts.get(font) ?? [];
    else
      lines.push(
        [...(shown ?? '').matchAll(/<([0-9a-f]+)>/gi)]
          .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
          .map((code) => glyphs[Number.parseInt(code, 16)] ?? '?')
          .join(''),
      );
  }
  return lines.join('\n');
}
