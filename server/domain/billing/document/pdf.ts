import type { Font } from 'fontkit';
import { readFonts } from './fonts';
import type { Paper } from './paper';
import { isPlain, linesOf, type Face, type Piece } from './typeset';

/* Lays out invoices and statements as tagged PDF with embedded fonts. */

type Pdf = PDFKit.PDFDocument;

const MARGIN = 50;
const GAP = 6;
const FOOTER = 30;
/** Share of DejaVu's line height above the baseline. */
const ASCENT = 0.928 / 1.164;

/** Fonts by the style of a text: the first one that has a character draws it. */
type Faces = Readonly<Record<Style, readonly Face[]>>;
type Style = 'regular' | 'bold';

/** A document and the fonts it is set in. */
interface Page {
  pdf: Pdf;
  faces: Faces;
}

/** @returns the bytes of the file */
export async function renderPaper(document: Paper): Promise<Buffer> {
  const [{ default: PDFDocument }, fonts] = await Promise.all([
    import('pdfkit'),
    readFonts(textOf(document)),
  ]);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    lang: 'en-US',
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    font: null as unknown as string,
    info: { Title: document.title, CreationDate: document.issued_at, Creator: 'Teehouse' },
  });
  const register = (name: string, font: Font): Face => {
    // pdfkit also accepts parsed fonts, which its types don't say. It embeds only used fonts, and only their
    // used characters.
    pdf.registerFont(name, font as unknown as Buffer);
    return { name, font };
  };
  const others = fonts.others.map((font, index) => register(`other${index}`, font));
  const faces: Faces = {
    regular: [register('regular', fonts.regular), ...others],
    bold: [register('bold', fonts.bold), ...others],
  };
  const page = { pdf, faces };
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const width = pdf.page.width - 2 * MARGIN;
  title(page, root, document, width);
  table(page, root, document, width);
  totals(page, root, document, width);
  root.end();
  pageNumbers(pdf, document.title, width);
  pdf.end();
  return done;
}

type Structure = ReturnType<Pdf['struct']>;

/** All text of a document. */
const textOf = ({ title, parties, facts, columns, rows, totals, notes }: Paper): string =>
  [title, parties, facts, columns.map(({ name }) => name), rows, totals, notes].flat(3).join('\n');

/** Adds an element with a line of text. */
function say(
  { pdf, faces }: Page,
  parent: Structure,
  tag: Parameters<Pdf['struct']>[0],
  text: string,
  place: { x: number; y: number; width: number; align?: 'right'; font?: 'bold'; size?: number },
) {
  const { x, y, width, align = 'left', font = 'regular', size = 9 } = place;
  const set = faces[font];
  pdf.font(font).fontSize(size);
  if (isPlain(text, set[0]!))
    return parent.add(pdf.struct(tag, {}, () => void pdf.text(text, x, y, { width, align })));
  const lines = setLines(pdf, set, text, width);
  // Drawn in visual order, piece by piece. Readers get the text.
  parent.add(
    pdf.struct(tag, { actual: text }, () => {
      const [height, ascent] = lineHeight(pdf, font);
      let top = y;
      for (const line of lines) {
        if (top + height > pdf.page.height - MARGIN) {
          pdf.continueOnNewPage();
          top = MARGIN;
        }
        const drawn = line.map((piece) => ({ piece, wide: widthOf(pdf, piece) }));
        let left = align === 'right' ? x + width - drawn.reduce((sum, { wide }) => sum + wide, 0) : x;
        for (const { piece, wide } of drawn) {
          pdf
            .font(piece.face)
            .text(piece.text, left, top + ascent, { lineBreak: false, baseline: 'alphabetic' });
          left += wide;
        }
        top += height;
      }
      pdf.font(font);
      pdf.y = top;
    }),
  );
}

/** Line height, and the height above the baseline. Pieces in other fonts keep it. */
function lineHeight(pdf: Pdf, font: Style): [height: number, ascent: number] {
  const height = pdf.font(font).currentLineHeight(true);
  return [height, height * ASCENT];
}

const setLines = (pdf: Pdf, faces: readonly Face[], text: string, width: number): Piece[][] =>
  linesOf(text, { faces, width, widthOf: (piece) => widthOf(pdf, piece) });

const widthOf = (pdf: Pdf, { face, text }: Piece): number => pdf.font(face).widthOfString(text);

/** Height of a text in the current size. */
function heightOf(
  { pdf, faces }: Page,
  text: string,
  { width, font }: { width: number; font: Style },
): number {
  pdf.font(font);
  if (isPlain(text, faces[font][0]!)) return pdf.heightOfString(text, { width });
  return setLines(pdf, faces[font], text, width).length * lineHeight(pdf, font)[0];
}

function title(page: Page, root: Structure, { title, parties, facts }: Paper, width: number) {
  const { pdf } = page;
  say(page, root, 'H1', title, { x: MARGIN, y: MARGIN, width, font: 'bold', size: 18 });
  pdf.moveDown(1);
  const top = pdf.y;
  const half = width / 2 - GAP;
  let bottom = top;
  for (const [index, [name, lines]] of parties.entries()) {
    if (lines.length === 0) continue;
    const x = MARGIN + index * (width / 2 + GAP);
    const section = pdf.struct('Sect');
    root.add(section);
    say(page, section, 'H2', name, { x, y: top, width: half, font: 'bold' });
    for (const line of lines)
      if (line.trim() !== '') say(page, section, 'P', line, { x, y: pdf.y, width: half });
    section.end();
    bottom = Math.max(bottom, pdf.y);
  }
  pdf.y = bottom + 2 * GAP;
  for (const [name, value] of facts)
    say(page, root, 'P', `${name}: ${value}`, { x: MARGIN, y: pdf.y, width });
  pdf.y += 2 * GAP;
}

function table(page: Page, root: Structure, { columns, rows }: Paper, width: number) {
  const { pdf } = page;
  const element = pdf.struct('Table');
  root.add(element);
  const lefts = columns.map((_column, index) =>
    columns.slice(0, index).reduce((left, { share }) => left + share * width, MARGIN),
  );
  const line = (cells: readonly string[], font?: 'bold') => {
    const boxes = cells.map((text, index) => ({ text, width: (columns[index]?.share ?? 0) * width - GAP }));
    pdf.fontSize(9);
    const height = Math.max(
      ...boxes.map((box) => heightOf(page, box.text, { width: box.width, font: font ?? 'regular' })),
    );
    if (pdf.y + height > pdf.page.height - MARGIN - FOOTER) {
      pdf.addPage();
      pdf.y = MARGIN;
    }
    const y = pdf.y;
    const row = pdf.struct('TR');
    element.add(row);
    boxes.forEach((box, index) =>
      say(page, row, font ? 'TH' : 'TD', box.text, {
        x: lefts[index] ?? MARGIN,
        y,
        width: box.width,
        ...(columns[index]?.right ? { align: 'right' as const } : {}),
        ...(font ? { font } : {}),
      }),
    );
    row.end();
    pdf.y = y + height + GAP / 2;
  };
  line(
    columns.map(({ name }) => name),
    'bold',
  );
  for (const row of rows) line(row);
  element.end();
}

function totals(page: Page, root: Structure, { totals: sums, notes }: Paper, width: number) {
  const { pdf } = page;
  if (pdf.y > pdf.page.height - MARGIN - FOOTER - 120) {
    pdf.addPage();
    pdf.y = MARGIN;
  }
  pdf.y += GAP;
  sums.forEach(([name, value], index) => {
    const last = index === sums.length - 1;
    say(page, root, 'P', `${name}: ${value}`, {
      x: MARGIN,
      y: pdf.y,
      width: width - GAP,
      align: 'right',
      ...(last ? { font: 'bold', size: 11 } : {}),
    });
  });
  pdf.y += 2 * GAP;
  for (const note of notes) say(page, root, 'P', note, { x: MARGIN, y: pdf.y, width });
}

/** Not part of the content: screen readers skip them. */
function pageNumbers(pdf: Pdf, title: string, width: number) {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    pdf.markContent('Artifact', { type: 'Pagination' });
    // Without a bottom margin, text there would start another page.
    pdf.page.margins.bottom = 0;
    pdf
      .font('regular')
      .fontSize(8)
      .text(`${title} · Page ${page + 1} of ${count}`, MARGIN, pdf.page.height - MARGIN, {
        width,
        align: 'center',
      });
    pdf.endMarkedContent();
  }
}
