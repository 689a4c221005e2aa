import { useParams } from 'react-admin';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../../../console/ui/data/DataTable';
import { problemOf } from '../../http';
import type { ResourceDescription } from '../../schema/types';
import { useFleetQuery } from './api';
import { Repair } from './Repair';
import { Silent } from './Silent';
import { TeepodPage } from './TeepodPage';

/** As long as somebody looks, the host is asked again. */
const LOOK_MS = 15_000;

interface Answer {
  answered: boolean;
  error: string | null;
}

interface Props<A extends Answer, R> extends Pick<
  DataTableProps<R>,
  'label' | 'columns' | 'rowId' | 'rowName' | 'rowHref'
> {
  resource: ResourceDescription;
  title: string;
  subtitle: string;
  /** Last part of the address, here and of the request. */
  path: string;
  rowsOf: (answer: A) => readonly R[];
  /** Whether it can be brought in line. */
  differs: (row: R) => boolean;
  /** In the place of rows where the answer has none. */
  empty: (answer: A | undefined) => ReactNode;
}

/** A page of what a host and the database have, side by side, with the button that brings them in line. */
export function Comparison<A extends Answer, R>({
  resource,
  title,
  subtitle,
  path,
  rowsOf,
  differs,
  empty,
  ...table
}: Props<A, R>) {
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useFleetQuery<A>(`/teepods/${id}/${path}`, LOOK_MS);
  const rows = data && rowsOf(data);
  return (
    <TeepodPage
      resource={resource}
      title={title}
      subtitle={subtitle}
      action={<Repair resource={resource} teepod={id} count={rows?.filter(differs).length ?? 0} />}
    >
      <Silent answer={data} />
      <DataTable<R>
        {...table}
        id={`admin-${path}`}
        rows={error ? [] : rows}
        refreshing={isFetching && data !== undefined}
        problem={error ? problemOf(error, `${table.label} could not be listed`, () => void refetch()) : null}
        empty={empty(data)}
      />
    </TeepodPage>
  );
}
