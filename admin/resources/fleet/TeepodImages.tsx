import { useParams } from 'react-admin';
import type { AdminOsImage } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import { DataTable } from '../../../console/ui/data/DataTable';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { useFleetQuery } from './api';
import { HostImages } from './HostImages';
import { TeepodPage } from './TeepodPage';

/** The host's OS images and their digests. */
export function TeepodImages({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, refetch } = useFleetQuery<AdminOsImage[]>(`/teepods/${id}/os-images`);
  return (
    <TeepodPage resource={resource} title="OS images" subtitle="Reported by the host when it connects.">
      <DataTable<AdminOsImage>
        id="admin-teepod-images"
        noun={['OS image', 'OS images']}
        columns={[
          { id: 'name', header: 'Name', cell: ({ name }) => name },
          {
            id: 'version',
            header: 'Version',
            width: 110,
            cell: ({ version }) => version,
          },
          {
            id: 'state',
            header: 'State',
            width: 140,
            cell: ({ state }) => <StatusChip quiet status={state} />,
          },
          {
            id: 'dev',
            header: 'Development',
            width: 120,
            priority: 2,
            labelled: true,
            cell: ({ is_dev }) => (is_dev ? 'Yes' : 'No'),
          },
          {
            id: 'digest',
            header: 'Digest',
            width: 170,
            priority: 2,
            cell: ({ os_image_hash }) =>
              os_image_hash === null ? 'Not reported' : <CopyId id={os_image_hash} what="digest" />,
          },
          {
            id: 'cvms',
            header: 'CVMs (all hosts)',
            width: 130,
            align: 'right',
            priority: 3,
            cell: ({ cvm_count }) => cvm_count,
          },
        ]}
        rows={data}
        rowId={(image) => String(image.id)}
        rowName={({ name }) => name}
        rowHref={(image) => adminHref.show('os-images', image.id)}
        problem={error ? problemOf(error, 'Couldn’t load OS images', () => void refetch()) : null}
        empty={
          <EmptyState picture="images" title="No OS images">
            The host reported none, so no CVM can start on it.
          </EmptyState>
        }
      />
      {(data !== undefined || error !== null) && <HostImages teepod={id} />}
    </TeepodPage>
  );
}
