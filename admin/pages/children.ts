import { recordPages } from '../resources';
import { pointingAt } from '../schema/resources';
import type { FieldDescription, ResourceDescription } from '../schema/types';

export interface Child {
  resource: ResourceDescription;
  /** The field by which its records point at the parent. */
  field: FieldDescription;
}

/** Lists of what points at a record, but those that have a page of their own. By the first field that does. */
export const childrenOf = ({ name }: ResourceDescription): Child[] => {
  const found = pointingAt(name).filter(
    ({ resource: child }) => !recordPages[name]?.some(({ path }) => path === child.name),
  );
  return found.filter((child, index) => found.findIndex((one) => one.resource === child.resource) === index);
};
