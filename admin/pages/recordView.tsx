import type { ReactElement } from 'react';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { problemOf, statusOf } from '../http';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { NotFoundPage, RecordProblem } from './Fallback';

/** What a page shows for a record. `unknown_address`: the ID can't belong to any record. */
type RecordState = 'record' | 'stale' | 'loading' | 'unknown_address' | 'missing' | 'failed';

/** The server answers 422 for an invalid numeric ID. */
const isUnknownAddress = (error: unknown): boolean => statusOf(error) === 422;

/** Whether no such record exists. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404 || isUnknownAddress(error);

const isForbidden = (error: unknown): boolean => statusOf(error) === 401 || statusOf(error) === 403;

/**
 * Decides what a page shows. A response that the record is gone or forbidden hides it; after any other failure, a
 * record that was read before stays, with its open dialogs and forms, below a notice that it is stale.
 */
export function recordState(isRead: boolean, error: unknown): RecordState {
  if (isUnknownAddress(error)) return 'unknown_address';
  if (isMissing(error)) return 'missing';
  if (isForbidden(error)) return 'failed';
  if (!isRead) return error ? 'failed' : 'loading';
  return error ? 'stale' : 'record';
}

/** Whether an error is shown instead of the record. */
export const isHidden = (state: RecordState): boolean =>
  state === 'unknown_address' || state === 'missing' || state === 'failed';

interface Read {
  record?: AdminRecord | undefined;
  error?: unknown;
  refetch: () => unknown;
}

/** Either the record, with the notice to show above it, or the page to show instead. */
type RecordView = { record: AdminRecord; notice: ReactElement | null } | { record: null; page: ReactElement };

/** Returns the view for the result of `recordState`. */
export function viewRecord(
  { singular }: Pick<ResourceDescription, 'singular'>,
  { record, error, refetch }: Read,
): RecordView {
  const retry = () => void refetch();
  const state = recordState(record !== undefined, error);
  if (state === 'unknown_address') return { record: null, page: <NotFoundPage /> };
  if (isHidden(state))
    return {
      record: null,
      page: <RecordProblem error={error} title={`Couldn’t load the ${singular}`} retry={retry} />,
    };
  if (record === undefined) return { record: null, page: <PageSkeleton label={`Loading the ${singular}`} /> };
  return {
    record,
    notice:
      state === 'stale' ? (
        <ErrorNotice problem={problemOf(error, `Couldn’t refresh this ${singular}`, retry)} />
      ) : null,
  };
}
