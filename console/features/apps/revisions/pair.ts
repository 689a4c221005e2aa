import type { AppRevision } from '../../../../generated/api/types.gen';

type Known = Pick<AppRevision, 'revision_id' | 'state'>;

/**
 * Returns what to compare a revision with: the one before it. The first has none, so it is compared with the live
 * one, or shown alone (with itself) if it is live.
 * @param all newest first
 */
export function comparedWith(all: readonly Known[], to: string): string {
  const at = all.findIndex(({ revision_id }) => revision_id === to);
  const before = at === -1 ? undefined : all[at + 1];
  return (before ?? all.find(({ state }) => state === 'live'))?.revision_id ?? to;
}
