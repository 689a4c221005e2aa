import type { Window } from '../../../domain/billing/usageDays';
import { csvRow, type SheetRow } from '../../../domain/core/sheet';
import { attachment } from '../../metrics/attachment';
import type { StreamReply } from '../../types';

/** Returns usage as a file, streamed at the reader's pace. @param of whose usage it is, for the file's name */
export const usageFile = (
  of: string,
  window: Window,
  columns: readonly string[],
  batches: AsyncIterable<readonly SheetRow[]>,
): StreamReply => attachment(`${of}-usage-${window.from.toISOString().slice(0, 10)}`, csv(columns, batches));

async function* csv(
  columns: readonly string[],
  batches: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<string> {
  yield csvRow(columns);
  for await (const rows of batches) if (rows.length > 0) yield rows.map(csvRow).join('');
}
