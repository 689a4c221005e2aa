import type { ReactNode } from 'react';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';

/** What a query answered; its skeleton before, its failure instead. `what` as in "Your sessions could not be read". */
export function Loaded<T>({
  query,
  what,
  rows = 3,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  what: string;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  const problem = problemOf(query.error, `${what} could not be read`, () => void query.refetch());
  return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={rows} />;
}
