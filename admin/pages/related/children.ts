import { recordPages } from '../../resources';
import { plural, singular } from '../../schema/labels';
import { referencesTo } from '../../schema/resources';
import type { FieldDescription, ResourceDescription } from '../../schema/types';
import { ownValue } from '../../../console/lib/ownValue';
import type { Child } from './child';

/** Returns resources that reference `name`, by their first such field, except those with a custom page or without a tab. */
export const childrenOf = ({ name }: ResourceDescription): Child[] => {
  const found = referencesTo(name).filter(
    ({ resource: child, field }) =>
      field.noTab !== true && !ownValue(recordPages, name)?.some(({ path }) => path === child.name),
  );
  return found
    .filter((child, index) => found.findIndex((one) => one.resource === child.resource) === index)
    .toSorted((a, b) => rankOf(a.resource) - rankOf(b.resource))
    .map(({ resource, field }) => ({ resource: namedBy(field, resource), field }));
};

/**
 * Tabs ordered by how often staff open them: workloads, owners, money, then history. Others follow in the
 * document's order.
 */
const FIRST_TABS: readonly string[] = [
  'apps',
  'cvms',
  'teepods',
  'members',
  'workspaces',
  'transactions',
  'payments',
  'credits',
  'invoices',
  'orders',
  'audit',
  'instance-events',
];

const rankOf = ({ name }: ResourceDescription): number =>
  FIRST_TABS.includes(name) ? FIRST_TABS.indexOf(name) : FIRST_TABS.length;

/**
 * Some references are only to part of a resource's records: among invoices, only credit notes correct another one.
 */
function namedBy({ tab }: FieldDescription, resource: ResourceDescription): ResourceDescription {
  if (tab === undefined) return resource;
  // The document's description is about all of them.
  return {
    ...resource,
    label: tab,
    singular: singular(tab),
    plural: plural(tab),
    about: undefined,
    aboutOne: undefined,
  };
}
