import type { ReactNode } from 'react';

/** A column of a table whose rows are of type R. */
export interface Column<R> {
  id: string;
  header: string;
  cell: (row: R) => ReactNode;
  /** Width in pixels; columns without one share the remaining space. */
  width?: number;
  align?: 'right';
  /** Lets sentences wrap to a second line instead of truncating them: always, or only in a phone row. */
  wrap?: boolean | 'phone';
  /** 1 is always shown, 2 is hidden below 720 px of table width, 3 below 960, 4 below 1100. */
  priority?: 1 | 2 | 3 | 4;
  /** Shows the heading beside the value in a phone row, too: a number or a "Yes" means nothing alone. */
  labelled?: boolean;
  /** In a phone row: beside the title, on the second line, on its own line below, or hidden. */
  phone?: 'end' | 'meta' | 'line' | 'hide';
  /** The server's sort key; without it, the column isn't sortable. */
  sort?: string;
  defaultHidden?: boolean;
}
