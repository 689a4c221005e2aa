import type { ReactNode } from 'react';
import { loadProblem } from '../../../api/problem';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';

/** Renders a query's data, its skeleton or its error. `what` completes "Couldn’t load …", as in "your sessions". */
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
  const problem = loadProblem(query, `Couldn’t load ${what}`);
  return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={rows} />;
}
