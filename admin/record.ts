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

/** Returns the headline of a record's page. For money, the ID is among the details instead. */
export function headlineOf(
  resource: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const amount = isNamedById(resource) ? ownValue(record, 'amount') : undefined;
  return typeof amount === 'string'
    ? `${capital(resource.singular)} of ${exactUsd(amount)}`
    : titleOf(resource, record);
}

/** Whether its records have only an ID as their name: for money, an ID says nothing. */
export const isNamedById = ({ titleField }: Pick<ResourceDescription, 'titleField'>): boolean =>
  titleField === 'public_id';

/** Returns the name of a record that can't be read. A bare number gets its label; other IDs are names. */
export const nameOfUnread = (
  { singular, idType }: Pick<ResourceDescription, 'singular' | 'idType'>,
  id: Identifier,
): string => (idType === 'integer' ? `${singular} ${id}` : String(id));

/**
 * Returns a record's name for use in a sentence: for money, its amount instead of its ID. It is also the text to
 * type before an irreversible action: it is in the page's headline, so that nobody has to look up an ID.
 */
export function spokenOf(
  resource: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const amount = isNamedById(resource) ? ownValue(record, 'amount') : undefined;
  return typeof amount === 'string' ? exactUsd(amount) : titleOf(resource, record);
}

/**
 * Like `spokenOf`, for mid-sentence use, where a title that isn't a name starts in lowercase: "Cancel drain 7",
 * "Cancel drain of rack1-a".
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
 * Prevents list rows from being mistaken for complete records (react-admin shows them until a record is read): a
 * form would start without the fields they lack.
 */
export const listMeta = ({
  partial,
}: Pick<ResourceDescription, 'partial'>): { meta?: Record<string, unknown> } =>
  partial ? { meta: { partial: true } } : {};
