import type { Identifier } from 'react-admin';
import type { ResourceDescription } from './schema/types';
import { exactUsd } from '../console/lib/billing/money';
import { plain } from './schema/value';
import { ownValue } from '../console/lib/ownValue';

/** A record as returned by the API; resource descriptions define its keys. */
export interface AdminRecord {
  id: Identifier;
  [field: string]: unknown;
}

/** Returns the record's display name. A bare number is prefixed with its kind: "Drain 7". The UI truncates long names. */
export function titleOf(
  { titleField, idType, singular }: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const name = titleField === 'id' && idType === 'integer' ? '' : plain(ownValue(record, titleField));
  return name || `${capital(singular)} ${record.id}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the headline of a record's page. The ID of a movement of money stands among the details. */
export function headlineOf(
  resource: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const amount = isNamedById(resource) ? ownValue(record, 'amount') : undefined;
  return typeof amount === 'string'
    ? `${capital(resource.singular)} of ${exactUsd(amount)}`
    : titleOf(resource, record);
}

/** Whether its records have no name of their own: an ID says nothing of money. */
export const isNamedById = ({ titleField }: Pick<ResourceDescription, 'titleField'>): boolean =>
  titleField === 'public_id';

/** Returns what to call a record that can't be read. A number alone says nothing; other IDs are names, and the label says of what. */
export const nameOfUnread = (
  { singular, idType }: Pick<ResourceDescription, 'singular' | 'idType'>,
  id: Identifier,
): string => (idType === 'integer' ? `${singular} ${id}` : String(id));

/**
 * Returns what to call a record in a sentence: an ID says nothing of money, its amount does. It is also what is typed before
 * what can't be undone: it stands in the headline of the record's page, so nobody has to look up an ID.
 */
export function spokenOf(
  resource: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const amount = isNamedById(resource) ? ownValue(record, 'amount') : undefined;
  return typeof amount === 'string' ? exactUsd(amount) : titleOf(resource, record);
}

/**
 * Returns the same for the middle of a sentence, where a title that isn't a name starts in lower case: "Cancel drain 7", "Cancel
 * drain of rack1-a".
 */
export function midSentence(
  resource: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const title = spokenOf(resource, record);
  const { singular, titleField } = resource;
  const isName = titleField !== 'title' && title !== `${capital(singular)} ${record.id}`;
  return isName || !title.startsWith(`${capital(singular)} `)
    ? title
    : singular + title.slice(singular.length);
}

/**
 * Keeps the rows of a list from being taken for whole records (react-admin shows them until a record is read): a form would
 * start without the fields that they lack.
 */
export const listMeta = ({
  partial,
}: Pick<ResourceDescription, 'partial'>): { meta?: Record<string, unknown> } =>
  partial ? { meta: { partial: true } } : {};
