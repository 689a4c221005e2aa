import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { SheetRow } from './sheet';
import { xmlText } from './xml';

/**
 * Spreadsheets in Excel's format (ECMA-376), written row by row: the file is never held in full. One sheet
 * without formulas; text that a reader could take for one is marked as text.
 */

/** Rows of an Excel sheet, less the header. */
export const MAX_XLSX_ROWS = 1_048_575;

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Fast: rows are so repetitive that more effort saves little. */
const LEVEL = 3;
/** Characters of a cell. */
const MAX_TEXT = 32_767;

// Indexes of cellXfs in STYLES.
const HEADER = 1;
const TIME = 2;
const EXACT = 3;
const QUOTED = 4;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX_TYPE}.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="0.00####"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" applyNumberFormat="1" quotePrefix="1"/></cellXfs></styleSheet>`,
};

/** Yields the file in pieces, at the reader's pace. @param sheet at most 31 characters */
export async function* xlsx(
  sheet: string,
  columns: readonly string[],
  batches: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  const taken = () => {
    const pieces = ready;
    ready = [];
    return pieces;
  };
  const part = (name: string) => {
    const file = new ZipDeflate(name, { level: LEVEL });
    zip.add(file);
    return file;
  };
  for (const [name, text] of Object.entries(PARTS)) part(name).push(strToU8(text), true);
  const workbook = `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  part('xl/workbook.xml').push(strToU8(workbook), true);
  const rows = part('xl/worksheets/sheet1.xml');
  rows.push(
    strToU8(
      `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns.length}" width="18" customWidth="1"/></cols><sheetData>${rowXml(columns, 1, true)}`,
    ),
  );
  let number = 1;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    rows.push(strToU8(batch.map((row) => rowXml(row, ++number)).join('')));
    yield* taken();
  }
  rows.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  yield* taken();
}

function rowXml(row: SheetRow, number: number, isHeader = false): string {
  const cells = row.map((value, index) => {
    if (value === null || value === '') return '';
    const at = `${letters(index)}${number}`;
    if (value instanceof Date) return `<c r="${at}" s="${TIME}"><v>${serial(value)}</v></c>`;
    if (typeof value === 'object') return `<c r="${at}" s="${EXACT}"><v>${value.decimal}</v></c>`;
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    const style = isHeader ? HEADER : /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? QUOTED : 0;
    return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** 0 → A, 25 → Z, 26 → AA. */
const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const DAY_MS = 86_400_000;
/** Days from Excel's epoch to 1970. */
const EPOCH = 25_569;

/** Excel's times have no zone; these are UTC. */
const serial = (at: Date): number => EPOCH + at.getTime() / DAY_MS;

/** Escapes characters that XML can't have, and carriage returns, in this format's notation, such as `_x000D_`. */
const escaped = (text: string): string =>
  xmlText(
    text
      .slice(0, MAX_TEXT)
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replaceAll(
        // eslint-disable-next-line no-control-regex
        /[\u0000-\u0008\u000B-\u001F]/g,
        (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
      ),
  );
