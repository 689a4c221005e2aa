import type { Window } from '../../../domain/billing/usageDays';
import { csvRow, type SheetRow } from '../../../domain/core/sheet';
import { MAX_XLSX_ROWS, xlsx, XLSX_TYPE } from '../../../domain/core/xlsx';
import { teamOf } from '../../core/caller';
import { createDownloadSlots } from '../../core/downloadSlots';
import { attachment } from '../../metrics/attachment';
import type { Context, StreamReply } from '../../types';
import { invalid } from '../../core/invalid';

type UsageFormat = 'csv' | 'xlsx';

/** Maximum time to read a spreadsheet. */
const MAX_MS = 10 * 60_000;

/** Few: packing a spreadsheet keeps the process busy. */
const takeSlot = createDownloadSlots({ most: 3, perOwner: 1, most_ms: MAX_MS });

interface UsageFile {
  /** Owner of the usage, for the file name. */
  of: string;
  window: Window;
  format: UsageFormat;
  columns: readonly string[];
  batches: AsyncIterable<readonly SheetRow[]>;
}

/**
 * Returns usage as a file, streamed at the reader's pace; a spreadsheet for at most ten minutes.
 * @throws RATE_LIMITED while the team, or several others, are having a spreadsheet written
 */
export function usageFile(ctx: Context, { of, window, format, columns, batches }: UsageFile): StreamReply {
  const name = `${of}-usage-${window.from.toISOString().slice(0, 10)}`;
  if (format === 'csv') return attachment(name, csv(columns, batches));
  const slot = takeSlot(ctx.signal, teamOf(ctx).id);
  async function* pieces() {
    slot.begin();
    try {
      for await (const piece of xlsx('Usage', columns, batches)) {
        slot.check();
        yield piece;
      }
    } finally {
      slot.leave();
    }
  }
  return { ...attachment(name, pieces(), { extension: 'xlsx', type: XLSX_TYPE }), until: slot.over };
}

async function* csv(
  columns: readonly string[],
  batches: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<string> {
  yield csvRow(columns);
  for await (const rows of batches) if (rows.length > 0) yield rows.map(csvRow).join('');
}

/**
 * Checks that a file can hold so many rows.
 *
 * @param rows counted up to one more than `MAX_XLSX_ROWS`
 * @throws VALIDATION_FAILED
 */
export function checkRows(format: UsageFormat, rows: number): void {
  if (format === 'csv' || rows <= MAX_XLSX_ROWS) return;
  const message = `An Excel file has at most ${MAX_XLSX_ROWS.toLocaleString('en-US')} rows, and this period has more. Choose a shorter one, or download CSV.`;
  throw invalid('from', message);
}
