import type { Column } from '../../console/ui/data/DataTable';
import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import { Cell, labelled, rightAligned, widthOf } from '../schema/Cell';
import type { ColumnDescription } from '../schema/types';
import { phonePlaces } from './phonePlaces';

/** Assumed width of columns without a fixed width, pixels. */
const USUAL_WIDTH = 150;
/** The same for names of other records, which are short. */
const REFERENCE_WIDTH = 128;
/** Table widths below which columns of priority 2 and 3 are hidden, pixels (console/ui/data). */
const FIRST_FIT = 668;
const SECOND_FIT = 900;

/** Converts column descriptions for the table. A column's priority follows from the width of those before it. */
export function columnsOf(fields: readonly ColumnDescription[]): Column<AdminRecord>[] {
  let taken = 0;
  const placeOf = phonePlaces(fields);
  return fields.map((field, index) => {
    // A first column of times needs no more room than any other; names share what is left.
    const width = index === 0 && field.type !== 'time' ? undefined : widthOf(field);
    const phone = placeOf(index);
    taken += field.hidden ? 0 : (width ?? (field.type === 'reference' ? REFERENCE_WIDTH : USUAL_WIDTH));
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
      priority: field.hidden || taken <= FIRST_FIT ? 1 : taken <= SECOND_FIT ? 2 : 3,
    };
  });
}
