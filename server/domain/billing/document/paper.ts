/** What a document of the billing pages says, before it is laid out as PDF. */
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
  /** Of the width. All add up to 1. */
  share: number;
  /** For numbers. */
  right?: boolean;
}

/** A page holds some thirty rows. The others of a document this large are one row; the API has them all. */
export const MAX_ROWS = 2000;
