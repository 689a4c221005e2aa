import type { Crumb } from '../../console/ui/layout/frameData';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { adminHref } from '../paths';
import { createLabel } from '../schema/labels';

/** Parent of a page below another record: `/admin/infra/teepods/5/gpus/create`. */
export interface Within {
  /** Title of the parent. */
  title: string;
  /** Breadcrumbs up to and including the list. */
  crumbs: readonly Crumb[];
  /** Values shared by all records in the list. */
  fixed: Readonly<Record<string, unknown>>;
  /** Address of the list. */
  href: string;
}

/** Returns the breadcrumbs to a resource's list. */
export const crumbsTo = (resource: ResourceDescription, within?: Within): readonly Crumb[] =>
  within?.crumbs ?? [{ label: resource.label, href: adminHref.list(resource.name) }];

export const listHref = (resource: ResourceDescription, within?: Within): string =>
  within?.href ?? adminHref.list(resource.name);

/** Returns the address to open after saving a form: the record's page or, without one, its list. */
export const afterHref = (resource: ResourceDescription, record: AdminRecord, within?: Within): string =>
  within !== undefined || resource.permissions.show === undefined
    ? listHref(resource, within)
    : adminHref.show(resource.name, record.id);

/** Returns the title of a form that adds a record: "Grant credit", or below a team "Grant credit: Acme". */
export function createTitle(
  resource: Pick<ResourceDescription, 'singular' | 'hints'>,
  within?: Pick<Within, 'title'>,
): string {
  const label = createLabel(resource);
  return within === undefined ? label : `${label}: ${within.title}`;
}

/**
 * Returns the message after a record was added: "Credit of $250.00 granted", or below a team "Credit of $250.00
 * granted · Acme".
 * @param title the record's name
 */
export function createdText(
  { hints }: Pick<ResourceDescription, 'hints'>,
  title: string,
  within?: Pick<Within, 'title'>,
): string {
  // A function, because a name may contain `replace` patterns.
  const text = hints.create?.done?.replace('{record}', () => title) ?? `Added ${title}`;
  return within === undefined ? text : `${text} · ${within.title}`;
}
