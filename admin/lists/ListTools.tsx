import FileDownIcon from 'lucide-react/icons/file-down';
import { DownloadButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useListContext } from 'react-admin';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import type { NamedLook } from './listLook';
import { exportColumns, exportHref } from './listQuery';
import { Views } from './Views';

const Row = styled('div')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
});

interface Props {
  resource: ResourceDescription;
  fixed: Readonly<Record<string, unknown>>;
  look: NamedLook;
}

/** Saved views and CSV export. */
export function ListTools({ resource, fixed, look }: Props) {
  const { filterValues, sort } = useListContext<AdminRecord>();
  const href = exportHref(resource.name, {
    filter: { ...(filterValues as object), ...fixed },
    sort,
    columns: exportColumns(resource, look.columns.split(',')),
  });
  return (
    <Row>
      {Object.keys(fixed).length === 0 && <Views resource={resource} look={look} />}
      <DownloadButton
        size="small"
        href={href}
        download={`${resource.name}.csv`}
        title="All matching rows with the columns shown"
        startIcon={<FileDownIcon />}
      >
        CSV
      </DownloadButton>
    </Row>
  );
}
