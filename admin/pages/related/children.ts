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

/** Tabs in the order of how often staff open them: what runs, whose it is, money, then what happened. Others follow as in the document. */
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

/** Some references are to part of a resource's records: of invoices, only credit notes correct another. */
function namedBy({ tab }: FieldDescription, resource: ResourceDescription): ResourceDescription {
  if (tab === undefined) return resource;
  // The document describes only all of them.
  return {
    ...resource,
    label: tab,
    singular: singular(tab),
    plural: plural(tab),
    about: undefined,
    aboutOne: undefined,
  };
}
