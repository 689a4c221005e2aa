import { adminHref } from '../../paths';
import { words } from '../../schema/labels';
import type { FieldDescription, ResourceDescription } from '../../schema/types';

export interface Child {
  /** Under the name that its records have on the page of the parent. */
  resource: ResourceDescription;
  /** The field that references the parent. */
  field: FieldDescription;
}

/** Returns the filter of the records below a parent: those that are gone would contradict its figures. */
export const childFilter = ({ resource, field }: Child, id: unknown): Record<string, unknown> => ({
  [field.name]: id,
  ...existing(resource),
});

const existing = ({ goneAt }: ResourceDescription) => (goneAt === undefined ? {} : { [goneAt]: null });

/** What a list below a parent leaves out, and where it is: "Deleted CVMs are left out." Null if it has everything. */
export function leftOut({ resource, field }: Child, id: unknown): { text: string; allHref: string } | null {
  const { goneAt, name, plural: records } = resource;
  if (goneAt === undefined) return null;
  const gone = words(goneAt.replace(/_at$/, ''));
  return {
    text: `${gone} ${records} are left out.`,
    allHref: adminHref.list(name, { [field.name]: id }),
  };
}
