/** The content of a billing document, before layout as PDF. */
export interface Paper {
  title: string;
  issued_at: Date;
  /** Up to two, side by side. */
  parties: [name: string, lines: string[]][];
  facts: [name: string, value: string][];
  columns: Column[];
  rows: string[][];
  /** The last one stands out. */
  totals: [name: string, value: string][];
  notes: string[];
}

interface Column {
  name: string;
  /** Share of the width. All add up to 1. */
  share: number;
  /** Right-aligned, for numbers. */
  right?: boolean;
}

/**
 * A page holds about thirty rows. A document this large sums the remaining ones in one row; the API has them
 * all.
 */
export const MAX_ROWS = 2000;
