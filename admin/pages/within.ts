import type { Crumb } from '../../console/ui/layout/frameData';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { adminHref } from '../paths';

/** Where a page stands when it is below another record: `/admin/infra/teepods/5/gpus/create`. */
export interface Within {
  /** The steps to the list it belongs to, that list last. */
  crumbs: readonly Crumb[];
  /** Values every record there has. */
  fixed: Readonly<Record<string, unknown>>;
  /** Address of that list. */
  href: string;
}

/** The steps to the list of a resource, wherever it stands. */
export const crumbsTo = (resource: ResourceDescription, within?: Within): readonly Crumb[] =>
  within?.crumbs ?? [{ label: resource.label, href: adminHref.list(resource.name) }];

export const listHref = (resource: ResourceDescription, within?: Within): string =>
  within?.href ?? adminHref.list(resource.name);

/** Where one goes from a record's form: to its page or, where it has none, to its list. */
export const afterHref = (resource: ResourceDescription, record: AdminRecord, within?: Within): string =>
  within !== undefined || resource.permissions.show === undefined
    ? listHref(resource, within)
    : adminHref.show(resource.name, record.id);
