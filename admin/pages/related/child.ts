import { adminHref } from '../../paths';
import { words } from '../../schema/labels';
import type { FieldDescription, ResourceDescription } from '../../schema/types';

export interface Child {
  /** The resource, under its name on the parent's page. */
  resource: ResourceDescription;
  /** The field that references the parent. */
  field: FieldDescription;
}

/**
 * Returns the filter for records below a parent. Excludes records that are gone, because the parent's numbers don't
 * count them.
 */
export const childFilter = ({ resource, field }: Child, id: unknown): Record<string, unknown> => ({
  [field.name]: id,
  ...existing(resource),
});

const existing = ({ goneAt }: ResourceDescription) => (goneAt === undefined ? {} : { [goneAt]: null });

/**
 * Says what a list below a parent excludes, with its address: "Deleted CVMs are hidden." Null if it is complete.
 */
export function leftOut({ resource, field }: Child, id: unknown): { text: string; allHref: string } | null {
  const { goneAt, name, plural: records } = resource;
  if (goneAt === undefined) return null;
  const gone = words(goneAt.replace(/_at$/, ''));
  return {
    text: `${gone} ${records} are hidden.`,
    allHref: adminHref.list(name, { [field.name]: id }),
  };
}
