import { useParams } from 'react-admin';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../../../console/ui/data/DataTable';
import { problemOf } from '../../http';
import type { ResourceDescription } from '../../schema/types';
import { useFleetQuery } from './api';
import { Repair } from './Repair';
import { UnreachableNotice } from './UnreachableNotice';
import { TeepodPage } from './TeepodPage';

/** How often the host is queried while the page is open. */
const REFRESH_MS = 15_000;

interface Answer {
  answered: boolean;
  error: string | null;
}

interface Props<A extends Answer, R> extends Pick<
  DataTableProps<R>,
  'noun' | 'columns' | 'rowId' | 'rowName' | 'rowHref'
> {
  resource: ResourceDescription;
  title: string;
  subtitle: string;
  /** Last segment of the page's and the request's address. */
  path: string;
  rowsOf: (answer: A) => readonly R[];
  /** Whether the row has drift that can be repaired. */
  differs: (row: R) => boolean;
  /** Shown below the table. */
  below?: (answer: A) => ReactNode;
  /** Empty state. */
  empty: (answer: A | undefined) => ReactNode;
}

/** Compares host and database side by side, with a button to repair drift. */
export function Comparison<A extends Answer, R>({
  resource,
  title,
  subtitle,
  path,
  rowsOf,
  differs,
  empty,
  below,
  ...table
}: Props<A, R>) {
  const { id = '' } = useParams();
  const { data, error, refetch } = useFleetQuery<A>(`/teepods/${id}/${path}`, REFRESH_MS);
  const rows = data && rowsOf(data);
  return (
    <TeepodPage
      resource={resource}
      title={title}
      subtitle={subtitle}
      action={<Repair resource={resource} teepod={id} count={rows?.filter(differs).length ?? 0} />}
    >
      <UnreachableNotice answer={data} />
      <DataTable<R>
        {...table}
        id={`admin-${path}`}
        rows={rows}
        problem={error ? problemOf(error, `Couldn’t load ${table.noun[1]}`, () => void refetch()) : null}
        empty={empty(data)}
      />
      {data && below?.(data)}
    </TeepodPage>
  );
}
