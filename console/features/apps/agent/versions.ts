import type { AppRevision } from '../../../../generated/api/types.gen';

/**
 * Returns the revisions before the one that the CVM runs, which need not be the app's newest: a newer one may still
 * wait for its contract, or run only in other CVMs.
 * @param running its number; null if unknown
 * @param revisions newest first
 */
export const earlierThan = <R extends Pick<AppRevision, 'revision_number'>>(
  running: number | null,
  revisions: readonly R[],
): readonly R[] =>
  running === null
    ? revisions.slice(1)
    : revisions.filter(({ revision_number }) => revision_number < running);
