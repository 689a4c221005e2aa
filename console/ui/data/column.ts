import type { ReactNode } from 'react';

/** A column of a table whose rows are of type R. */
export interface Column<R> {
  id: string;
  header: string;
  cell: (row: R) => ReactNode;
  /** Pixels; columns without one share what is left. */
  width?: number;
  align?: 'right';
  /** Sentences, which continue on a second line instead of being cut: always, or only in a phone row. */
  wrap?: boolean | 'phone';
  /** 1 stays, 2 goes below 720 px of table width, 3 below 960, 4 below 1100. */
  priority?: 1 | 2 | 3 | 4;
  /** The heading stands beside the value in a phone row too: a figure or a "Yes" alone says nothing. */
  labelled?: boolean;
  /** In a phone row: beside the title, on the second line, on a line of its own below, or not at all. */
  phone?: 'end' | 'meta' | 'line' | 'hide';
  /** The name by which the server sorts; without it the column does not sort. */
  sort?: string;
  defaultHidden?: boolean;
}
