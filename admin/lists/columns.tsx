import type { Column } from '../../console/ui/data/DataTable';
import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import { Cell, labelled, rightAligned, widthOf } from '../schema/Cell';
import type { ColumnDescription } from '../schema/types';
import { isSentence, phonePlaces } from './phonePlaces';

/** Assumed width of columns that share the remaining space, in pixels. */
const USUAL_WIDTH = 150;
const MONO_WIDTH = 184;
/** Other records' names are short. */
const REFERENCE_WIDTH = 132;
const WORD_WIDTH = 110;
const SENTENCE_WIDTH = 240;
/** Texts up to this length count as a word. */
const MAX_WORD = 32;

/** Table widths below which columns of priority 2, 3 and 4 are hidden, pixels (console/ui/data). */
const FIRST_FIT = 668;
const SECOND_FIT = 900;
/** The table's width in a 1280-pixel window. */
const THIRD_FIT = 1_000;

function usualWidth(field: ColumnDescription): number {
  if (field.type === 'reference') return REFERENCE_WIDTH;
  if (field.type === 'mono') return MONO_WIDTH;
  if (isSentence(field)) return SENTENCE_WIDTH;
  return (field.maxLength ?? Number.POSITIVE_INFINITY) <= MAX_WORD ? WORD_WIDTH : USUAL_WIDTH;
}

/** Returns the width of the heading in pixels: its letters, padding and sort arrow. */
const headingWidth = (label: string): number => Math.ceil(label.length * 6.5) + 28;

const priorityAt = (taken: number) => (taken <= FIRST_FIT ? 1 : taken <= SECOND_FIT ? 2 : 3);

/** Converts column descriptions for the table. A column's priority depends on the width of the preceding ones. */
export function columnsOf(fields: readonly ColumnDescription[]): Column<AdminRecord>[] {
  let taken = 0;
  // Sentences take the remaining space.
  const hasSentence = fields.some((field) => !field.hidden && isSentence(field));
  const placeOf = phonePlaces(fields);
  return fields.map((field, index) => {
    // A first column of times needs no extra space; names share the remaining space.
    const known = index === 0 && field.type !== 'time' ? undefined : widthOf(field);
    const fixed = known ?? (index > 0 && hasSentence && !isSentence(field) ? usualWidth(field) : undefined);
    const width = fixed === undefined ? undefined : Math.max(fixed, headingWidth(field.label));
    const needed = field.hidden ? 0 : (width ?? Math.max(usualWidth(field), headingWidth(field.label)));
    // A column that doesn't fit in a usual window takes no space from those after it.
    const fitsUsual = taken + needed <= THIRD_FIT;
    if (fitsUsual) taken += needed;
    const phone = placeOf(index);
    return {
      id: field.name,
      header: field.label,
      // The first column links to the row, so it contains no other link.
      cell: (record) => (
        <Cell
          field={field}
          value={ownValue(record, field.name)}
          record={record}
          {...(index === 0 ? { plain: true } : {})}
        />
      ),
      ...(width === undefined ? {} : { width }),
      // The first column names the row, even if it is a number.
      ...(index > 0 && rightAligned.has(field.type) ? { align: 'right' as const } : {}),
      ...(labelled.has(field.type) ? { labelled: true } : {}),
      ...(phone === undefined ? {} : { phone }),
      ...(field.sortable ? { sort: field.name } : {}),
      ...(field.hidden ? { defaultHidden: true } : {}),
      // A column that the user enabled is always shown.
      priority: field.hidden ? 1 : fitsUsual ? priorityAt(taken) : 4,
    };
  });
}
