import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Paper } from './paper';

/* Lays invoices and statements out as tagged PDF with embedded fonts. */

type Pdf = PDFKit.PDFDocument;

const MARGIN = 50;
const GAP = 6;
const FOOTER = 30;

/** pdfkit takes parsed fonts, too, which its types don't say. */
type Source = Buffer;

let fonts: Promise<{ regular: Source; bold: Source }> | undefined;

/**
 * Fonts with Latin, Greek and Cyrillic letters. Read with the first document, and parsed once: that takes most of the time of
 * rendering one.
 */
function readFonts() {
  fonts ??= (async () => {
    const { create } = await import('fontkit');
    const { resolve } = createRequire(import.meta.url);
    const read = async (name: string) =>
      create(await readFile(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))) as unknown as Source;
    return { regular: await read('DejaVuSans'), bold: await read('DejaVuSans-Bold') };
  })();
  // After a disk error, retry with the next document.
  fonts.catch(() => (fonts = undefined));
  return fonts;
}

/** @returns the bytes of the file */
export async function renderPaper(document: Paper): Promise<Buffer> {
  const [{ default: PDFDocument }, { regular, bold }] = await Promise.all([import('pdfkit'), readFonts()]);
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
  pdf.registerFont('regular', regular).registerFont('bold', bold);
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const width = pdf.page.width - 2 * MARGIN;
  title(pdf, root, document, width);
  table(pdf, root, document, width);
  totals(pdf, root, document, width);
  root.end();
  pageNumbers(pdf, document.title, width);
  pdf.end();
  return done;
}

type Structure = ReturnType<Pdf['struct']>;

/** Adds an element with a line of text. */
function say(
  pdf: Pdf,
  parent: Structure,
  tag: Parameters<Pdf['struct']>[0],
  text: string,
  place: { x: number; y: number; width: number; align?: 'right'; font?: 'bold'; size?: number },
) {
  const { x, y, width, align = 'left', font = 'regular', size = 9 } = place;
  parent.add(
    pdf.struct(tag, {}, () => {
      pdf.font(font).fontSize(size).text(text, x, y, { width, align });
    }),
  );
}

function title(pdf: Pdf, root: Structure, { title, parties, facts }: Paper, width: number) {
  say(pdf, root, 'H1', title, { x: MARGIN, y: MARGIN, width, font: 'bold', size: 18 });
  pdf.moveDown(1);
  const top = pdf.y;
  const half = width / 2 - GAP;
  let bottom = top;
  for (const [index, [name, lines]] of parties.entries()) {
    if (lines.length === 0) continue;
    const x = MARGIN + index * (width / 2 + GAP);
    const section = pdf.struct('Sect');
    root.add(section);
    say(pdf, section, 'H2', name, { x, y: top, width: half, font: 'bold' });
    for (const line of lines)
      if (line.trim() !== '') say(pdf, section, 'P', line, { x, y: pdf.y, width: half });
    section.end();
    bottom = Math.max(bottom, pdf.y);
  }
  pdf.y = bottom + 2 * GAP;
  for (const [name, value] of facts) say(pdf, root, 'P', `${name}: ${value}`, { x: MARGIN, y: pdf.y, width });
  pdf.y += 2 * GAP;
}

function table(pdf: Pdf, root: Structure, { columns, rows }: Paper, width: number) {
  const element = pdf.struct('Table');
  root.add(element);
  const lefts = columns.map((_column, index) =>
    columns.slice(0, index).reduce((left, { share }) => left + share * width, MARGIN),
  );
  const line = (cells: readonly string[], font?: 'bold') => {
    const boxes = cells.map((text, index) => ({ text, width: (columns[index]?.share ?? 0) * width - GAP }));
    pdf.font(font ?? 'regular').fontSize(9);
    const height = Math.max(...boxes.map((box) => pdf.heightOfString(box.text, { width: box.width })));
    if (pdf.y + height > pdf.page.height - MARGIN - FOOTER) {
      pdf.addPage();
      pdf.y = MARGIN;
    }
    const y = pdf.y;
    const row = pdf.struct('TR');
    element.add(row);
    boxes.forEach((box, index) =>
      say(pdf, row, font ? 'TH' : 'TD', box.text, {
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

function totals(pdf: Pdf, root: Structure, { totals: sums, notes }: Paper, width: number) {
  if (pdf.y > pdf.page.height - MARGIN - FOOTER - 120) {
    pdf.addPage();
    pdf.y = MARGIN;
  }
  pdf.y += GAP;
  sums.forEach(([name, value], index) => {
    const last = index === sums.length - 1;
    say(pdf, root, 'P', `${name}: ${value}`, {
      x: MARGIN,
      y: pdf.y,
      width: width - GAP,
      align: 'right',
      ...(last ? { font: 'bold', size: 11 } : {}),
    });
  });
  pdf.y += 2 * GAP;
  for (const note of notes) say(pdf, root, 'P', note, { x: MARGIN, y: pdf.y, width });
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
