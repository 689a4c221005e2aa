import { membersPath } from '../../lib/paths';

export interface WebhooksSearch {
  /** The open webhook; absent for the list. */
  webhook?: string | undefined;
  /** The open delivery. */
  delivery?: string | undefined;
  /** Page of deliveries, from 2; absent for the first. */
  page?: number | undefined;
  /** Whether the create dialog is open. */
  new?: true | undefined;
}

const MAX_PAGES = 500;
const id = (value: unknown, prefix: string): string | undefined =>
  typeof value === 'string' && value.startsWith(prefix) && value.length <= 64 ? value : undefined;

export function webhooksSearch({
  webhook,
  delivery,
  page,
  new: making,
}: Record<string, unknown>): WebhooksSearch {
  const number = Number(page);
  // Always present: the router merges validated values over the raw address.
  return {
    webhook: id(webhook, 'whk_'),
    delivery: id(delivery, 'evt_'),
    page: Number.isInteger(number) && number > 1 && number <= MAX_PAGES ? number : undefined,
    new: making === true || making === 'true' ? true : undefined,
  };
}

export function webhooksHref(teamSlug: string, search: WebhooksSearch = {}): string {
  const query = Object.entries(search).flatMap(([key, value]) =>
    value === undefined ? [] : [`&${key}=${encodeURIComponent(String(value))}`],
  );
  return membersPath(teamSlug, 'webhooks') + query.join('');
}
