import { recordPages } from '../resources';
import { referencesTo } from '../schema/resources';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { ownValue } from '../../console/lib/ownValue';

export interface Child {
  resource: ResourceDescription;
  /** The field that references the parent. */
  field: FieldDescription;
}

/** Returns resources that reference `name`, by their first such field, except those with a custom page. */
export const childrenOf = ({ name }: ResourceDescription): Child[] => {
  const found = referencesTo(name).filter(
    ({ resource: child }) => !ownValue(recordPages, name)?.some(({ path }) => path === child.name),
  );
  return found.filter((child, index) => found.findIndex((one) => one.resource === child.resource) === index);
};
