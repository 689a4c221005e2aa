import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useListContext } from 'react-admin';
import type { Column } from '../../console/ui/data/DataTable';
import { visibleColumns } from '../../console/ui/data/tableKeys';
import { useStored } from '../../console/ui/stored';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { exportHref } from './listQuery';
import { Views } from './Views';

const Row = styled('div')({ display: 'inline-flex', alignItems: 'center', gap: 4 });

interface Props {
  resource: ResourceDescription;
  fixed: Readonly<Record<string, unknown>>;
  columns: readonly Column<AdminRecord>[];
}

/** Saved views, and everything that matches as a file. */
export function ListTools({ resource, fixed, columns }: Props) {
  const { filterValues, sort } = useListContext<AdminRecord>();
  const [stored] = useStored(`columns:admin-${resource.name}`, '');
  const href = exportHref(resource.name, {
    filter: { ...(filterValues as object), ...fixed },
    sort,
    columns: visibleColumns(columns, stored).map(({ id }) => id),
  });
  return (
    <Row>
      {Object.keys(fixed).length === 0 && <Views resource={resource} />}
      <Button
        component="a"
        size="small"
        href={href}
        download={`${resource.name}.csv`}
        title="All that match, in the columns shown"
        startIcon={<FileDownloadOutlined />}
      >
        CSV
      </Button>
    </Row>
  );
}
