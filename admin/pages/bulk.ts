import { describeForm, editFields } from '../schema/forms';
import { words } from '../schema/labels';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import type { OperationHints } from '../schema/xAdmin';
import { MOST_ROWS } from '../bulkJobs';

/** Something that can be done to many rows of a resource at once. */
export interface BulkOperation extends OperationHints {
  /** `edit`, `delete`, or an action of the resource. */
  name: string;
  label: string;
  permission: string;
  fields: readonly FieldDescription[];
  /** Of `edit`: only the fields somebody chose are sent. */
  partial: boolean;
}

/** Editing, deleting and what the document allows in bulk. */
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
            // What names one record cannot be the same for several.
            fields: editFields(resource).filter(({ name }) => name !== resource.titleField),
            partial: true,
          },
        ]),
    ...actions
      .filter(({ bulk }) => bulk === true)
      .map((action) => ({ ...action, fields: describeForm(action.body), partial: false })),
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

/** Which rows: those ticked, or everything that fits the filter. */
export type Scope =
  | { kind: 'ids'; ids: readonly (string | number)[]; total: number }
  | { kind: 'filter'; filter: Readonly<Record<string, unknown>>; total: number };

/** Why all that match cannot be taken, if they cannot. */
export function tooMany(total: number, estimated: boolean): string | undefined {
  if (estimated || total > MOST_ROWS)
    return `One job takes at most ${MOST_ROWS.toLocaleString('en').replace(',', '\u202f')} rows. Filter for fewer.`;
  return undefined;
}
