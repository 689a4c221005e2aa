import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import type { SheetRow } from './sheet';
import { xlsx } from './xlsx';

async function* once(rows: readonly SheetRow[]) {
  yield rows;
}

async function fileOf(columns: readonly string[], batches: AsyncIterable<readonly SheetRow[]>) {
  const pieces: Uint8Array[] = [];
  for await (const piece of xlsx('Usage', columns, batches)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const sheetOf = (file: Uint8Array) =>
  Buffer.from(unzipSync(file)['xl/worksheets/sheet1.xml'] ?? []).toString('utf8');

describe('a spreadsheet', () => {
  it('has numbers, times and exact amounts as another reader reads them', async () => {
    const at = new Date('2026-11-21T08:30:15.000Z');
    const file = await fileOf(
      ['name', 'at', 'count', 'usd', 'nothing'],
      once([['web & <api> "1"', at, 42, { decimal: '-0.000058' }, null]]),
    );
    expect(await readSheet(file, { trim: false })).toEqual([
      ['name', 'at', 'count', 'usd', 'nothing'],
      ['web & <api> "1"', at, 42, -0.000_058, null],
    ]);
    // As written, not as a computed number.
    expect(sheetOf(file)).toContain('<v>-0.000058</v>');
  });

  it.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x.test")', '＝1'])(
    'has %j as text, even after a user edits the cell',
    async (text) => {
      const file = await fileOf(['a'], once([[text]]));
      const sheet = sheetOf(file);
      expect(sheet).not.toMatch(/<f[ >]/);
      expect(sheet).toMatch(/<c r="A2" s="4" t="inlineStr">/);
      const styles = Buffer.from(unzipSync(file)['xl/styles.xml'] ?? []).toString('utf8');
      expect(styles.match(/<cellXfs.*<\/cellXfs>/)?.[0].split('<xf ')[5]).toContain('quotePrefix="1"');
      const [, row] = await readSheet(file, { trim: false });
      expect(row).toEqual([text]);
    },
  );

  it('stays readable with any characters in a name', async () => {
    const names = ['\u0000\u001f', 'a\r\nb', '_x0041_', '\ud800', ']]>', '😀', 'x'.repeat(40_000)];
    const file = await fileOf(['a'], once(names.map((name) => [name])));
    const rows = await readSheet(file);
    expect(rows).toHaveLength(names.length + 1);
    const sheet = sheetOf(file);
    expect(sheet).toContain('_x0000__x001F_');
    expect(sheet).toContain('a_x000D_\nb');
    expect(sheet).toContain('_x005F_x0041_');
    expect(rows[6]).toEqual(['😀']);
  });

  it('numbers columns beyond the letters', async () => {
    const columns = Array.from({ length: 28 }, (_, i) => `c${i}`);
    const [head] = await readSheet(await fileOf(columns, once([])));
    expect(head).toEqual(columns);
  });

  it("is written at the reader's pace: rows are fetched one batch ahead, even if there are many", async () => {
    let fetched = 0;
    async function* many() {
      for (; fetched < 200; fetched += 1)
        yield Array.from({ length: 1000 }, (_, i) => [`cvm-${i}`, i, fetched]);
    }
    const file = xlsx('Usage', ['a', 'b', 'c'], many());
    let bytes = 0;
    for (let pieces = 0; pieces < 3; pieces += 1) bytes += (await file.next()).value?.length ?? 0;
    expect(fetched).toBeLessThan(20);
    let most = 0;
    for await (const piece of file) {
      most = Math.max(most, piece.length);
      bytes += piece.length;
    }
    expect(fetched).toBe(200);
    // 200,000 rows are several MB, but no single piece is large.
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(most).toBeLessThan(500_000);
  });
});
