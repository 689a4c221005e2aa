import { count } from '../../console/lib/texts/count';
import { ownValue } from '../../console/lib/ownValue';
import { applies, describeForm, editFields } from '../schema/forms';
import { words } from '../schema/labels';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { fromControl, isList } from '../schema/value';
import type { OperationHints } from '../schema/xAdmin';
import { MAX_ROWS } from './bulkJobs';

/** An action that applies to many rows of a resource. */
export interface BulkOperation extends OperationHints {
  /** `edit`, `delete`, or an action of the resource. */
  name: string;
  label: string;
  permission: string;
  fields: readonly FieldDescription[];
  /** For `edit`: only the chosen fields are sent. */
  partial: boolean;
}

/** Returns the bulk actions: edit, delete and those the API document marks as bulk. */
export function bulkOperations(resource: ResourceDescription): BulkOperation[] {
  const { permissions, hints, actions } = resource;
  return [
    ...(permissions.edit === undefined
      ? []
      : [
          {
            ...hints.edit,
            name: 'edit',
            label: 'Edit',
            permission: permissions.edit,
            // The title field identifies a single record, and the server sets secrets one record at a time.
            fields: editFields(resource).filter(
              ({ name, type }) => name !== resource.titleField && type !== 'secret',
            ),
            partial: true,
          },
        ]),
    ...actions
      .filter(({ bulk }) => bulk === true)
      .map((action) => ({
        ...action,
        label: withoutKind(action.label, resource.singular),
        fields: describeForm(action.body),
        partial: false,
      })),
    ...(permissions.delete === undefined
      ? []
      : [
          {
            danger: true,
            ...hints.delete,
            name: 'delete',
            label: words('delete'),
            permission: permissions.delete,
            fields: [],
            partial: false,
          },
        ]),
  ];
}

/** "Cancel 3 queue jobs": a single record's button label may include its kind, as in "Cancel job". */
function withoutKind(label: string, singular: string): string {
  const kind = ` ${singular.split(' ').at(-1)}`;
  return label.endsWith(kind) ? label.slice(0, -kind.length) : label;
}

/** The selected rows, or every row matching the filter. */
export type Scope =
  | { kind: 'ids'; ids: readonly (string | number)[]; total: number }
  | {
      kind: 'filter';
      filter: Readonly<Record<string, unknown>>;
      total: number;
    };

/** Returns why all matching rows can't be selected, if so. */
export function tooMany(total: number, estimated: boolean): string | undefined {
  if (estimated || total > MAX_ROWS)
    return `A job can have at most ${count(MAX_ROWS)} rows. Narrow the filters.`;
  return undefined;
}

/** Whether the typed number is this one; it is shown with commas. */
export const isTyped = (typed: string, total: number): boolean =>
  typed.replaceAll(/[\s,]/g, '') === String(total);

/**
 * Returns the values that a bulk edit sets: those its inputs show. An empty input of a field that can be empty
 * empties it, and a switch that wasn't touched shows that it is off.
 * @param fields those chosen to be changed
 */
export const bulkChanges = (
  fields: readonly FieldDescription[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => applies(field, values))
      .map((field): [string, unknown] => [field.name, ownValue(values, field.name) ?? emptyOf(field)])
      .filter(([, value]) => value !== undefined),
  );

/** Returns the value of an input that shows nothing. */
function emptyOf(field: FieldDescription): unknown {
  if (field.type === 'boolean') return false;
  return isList(field) ? [] : fromControl(field, '');
}
