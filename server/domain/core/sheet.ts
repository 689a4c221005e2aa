import { csvLine } from '../../../console/lib/texts/csv';

/** Rows of a table, in the form shared by all file formats. */

/** A number that must stay exact: "0.058". */
interface Decimal {
  decimal: string;
}

type SheetCell = string | number | Date | Decimal | null;
export type SheetRow = readonly SheetCell[];

/** Returns one line of CSV. */
export const csvRow = (row: SheetRow): string =>
  csvLine(
    row.map((cell) =>
      cell instanceof Date
        ? cell.toISOString()
        : cell !== null && typeof cell === 'object'
          ? cell.decimal
          : cell,
    ),
  );
