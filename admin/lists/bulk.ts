import { count } from '../../console/lib/texts/count';
import { describeForm, editFields } from '../schema/forms';
import { words } from '../schema/labels';
import type { FieldDescription, ResourceDescription } from '../schema/types';
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
            // The title field identifies a single record.
            fields: editFields(resource).filter(({ name }) => name !== resource.titleField),
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
