import type { ActivityEvent } from '../../../generated/api/types.gen';

/** Returns the reason given with the change, or null if none was. */
export function reasonOf({ kind, data }: Pick<ActivityEvent, 'kind' | 'data'>): string | null {
  const { reason } = data;
  return kind.endsWith('.requested') && typeof reason === 'string' && reason !== '' ? reason : null;
}

/**
 * Orders events by the time they happened. Host events arrive late and then have a higher ID than later events;
 * events of one transaction share a time, so their IDs decide.
 */
export function newestFirst(
  a: Pick<ActivityEvent, 'id' | 'created_at'>,
  b: Pick<ActivityEvent, 'id' | 'created_at'>,
): number {
  return Date.parse(b.created_at) - Date.parse(a.created_at) || Number(b.id) - Number(a.id);
}
