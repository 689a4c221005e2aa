import { useState } from 'react';
import type { AdminHostImage, AdminHostImages, AdminRegistryImage } from '../../../generated/api/types.gen';
import { DataTable } from '../../../console/ui/data/DataTable';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../console/ui/feedback/Skeletons';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';
import { useFleetAction, useFleetQuery } from './api';
import { UnreachableNotice } from './UnreachableNotice';
import { counted } from '../../../console/lib/texts/count';

const POLL_MS = 5_000;

const stateOf = ({ pulling, error, local }: AdminRegistryImage) => {
  if (pulling) return 'Downloading';
  if (error !== null) return `Failed: ${error}`;
  return local ? 'On the host' : 'Not downloaded';
};

/** The images stored on a host and those offered by its registry, with downloads in progress. */
export function HostImages({ teepod }: { teepod: string }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const { data, error, refetch } = useFleetQuery<AdminHostImages>(`/teepods/${teepod}/host-images`, POLL_MS);
  const pull = useFleetAction<AdminHostImages>(`/teepods/${teepod}`);
  const remove = useFleetAction<AdminHostImages>(`/teepods/${teepod}`);
  const [deleting, setDeleting] = useState<string | null>(null);
  const close = () => {
    setDeleting(null);
    remove.reset();
  };
  const problem = error ? problemOf(error, 'Couldn’t load the host’s images', () => void refetch()) : null;
  // The tables below would move when the first one's rows arrive.
  if (!data && !problem) return <RowsSkeleton rows={4} />;
  return (
    <>
      <UnreachableNotice answer={data} />
      <Panel title="Stored on the host">
        <DataTable<AdminHostImage>
          id="admin-host-images"
          label="Stored on the host"
          noun={['image', 'images']}
          columns={[
            { id: 'name', header: 'Name', cell: ({ name }) => name },
            {
              id: 'version',
              header: 'Version',
              width: 110,
              cell: ({ version }) => version,
            },
            {
              id: 'cvms',
              header: 'CVMs here',
              width: 110,
              align: 'right',
              labelled: true,
              cell: ({ cvm_count }) => cvm_count,
            },
          ]}
          rows={data?.images}
          rowId={({ name }) => name}
          rowName={({ name }) => name}
          rowActions={({ name, cvm_count }) => {
            const inUse = `Used by ${counted(cvm_count, ['CVM', 'CVMs'])}`;
            const reason = refused ?? (cvm_count > 0 ? inUse : undefined);
            return [
              {
                id: 'delete',
                label: 'Delete…',
                danger: true,
                onSelect: () => setDeleting(name),
                ...(reason === undefined ? {} : { disabledReason: reason }),
              },
            ];
          }}
          problem={problem}
          empty={
            <EmptyState picture="images" title="No images">
              The host stores no OS image.
            </EmptyState>
          }
        />
      </Panel>
      <Panel title="Registry">
        {pull.error && !pull.isPending && (
          <ErrorNotice problem={problemOf(pull.error, 'Couldn’t pull the image')} />
        )}
        <DataTable<AdminRegistryImage>
          id="admin-registry-images"
          label="Registry"
          noun={['image', 'images']}
          columns={[
            { id: 'tag', header: 'Tag', cell: ({ tag }) => tag },
            { id: 'state', header: 'State', cell: stateOf },
          ]}
          rows={data?.registry_images}
          rowId={({ tag }) => tag}
          rowName={({ tag }) => tag}
          rowActions={({ tag, pulling, local }) => {
            const done = pulling ? 'Already downloading' : local ? 'Already on the host' : undefined;
            const reason = refused ?? done;
            return [
              {
                id: 'pull',
                label: 'Pull',
                onSelect: () => pull.mutate({ action: '/pull-image', body: { tag } }),
                ...(reason === undefined ? {} : { disabledReason: reason }),
              },
            ];
          }}
          problem={problem}
          empty={
            <EmptyState picture="images" title="No registry images">
              {data?.registry_error ?? 'The host has no image registry, or the registry is empty.'}
            </EmptyState>
          }
        />
      </Panel>
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${deleting ?? ''}?`}
        confirmLabel="Delete image"
        danger
        typedName={deleting ?? ''}
        effects={['The image is deleted from this host. No CVM can start with it here.']}
        pending={remove.isPending}
        problem={remove.error ? problemOf(remove.error, 'Couldn’t delete the image') : null}
        onConfirm={() =>
          remove.mutate({ action: '/delete-image', body: { name: deleting } }, { onSuccess: close })
        }
        onClose={close}
      />
    </>
  );
}
