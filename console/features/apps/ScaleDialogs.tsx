import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listAvailableTeepodsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { createCvmReplica, deleteCvm } from '../../../generated/api/sdk.gen';
import type { Cvm } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { Cost } from '../../ui/data/Cost';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { useToast } from '../../ui/feedback/toasts';
import { SelectInput } from '../../ui/forms/SelectInput';
import { appCvmPath } from '../../lib/paths';

interface Props {
  teamSlug: string;
  appId: string;
  onClose: () => void;
}

function useRefresh(teamSlug: string) {
  const queryClient = useQueryClient();
  // Events say so too; the rows should not wait for them.
  return () =>
    queryClient.invalidateQueries({ predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]) });
}

/** One more CVM of the app, made as `source` is. */
export function ScaleOutDialog({ teamSlug, appId, source, onClose }: Props & { source: Cvm }) {
  const [place, setPlace] = useState('');
  const { data: hosts } = useQuery(listAvailableTeepodsOptions({ ...inTeam(teamSlug) }));
  const key = useIdempotencyKey();
  const refresh = useRefresh(teamSlug);
  const toast = useToast();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => {
      const body = place === '' ? {} : { node_id: Number(place) };
      const { data } = await createCvmReplica({
        headers: { ...inTeam(teamSlug).headers, ...key({ ...body, source: source.id }) },
        path: { cvm_id: source.id },
        body,
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async (made) => {
      await refresh();
      toast({
        tone: 'progress',
        title: `${made.name} is being created`,
        ...(made.vm_uuid
          ? { link: { label: 'Watch it', href: appCvmPath(teamSlug, appId, made.vm_uuid) } }
          : {}),
      });
      onClose();
    },
  });
  const fitting = (hosts?.nodes ?? []).filter(
    (host) =>
      host.remaining_cvm_slots > 0 &&
      host.remaining_vcpu >= (source.resource.vcpu ?? 0) &&
      host.remaining_memory >= (source.resource.memory_in_gb ?? 0) * 1024,
  );
  return (
    <ConfirmDialog
      open
      title="Scale out by one CVM?"
      confirmLabel="Scale out"
      effects={[
        `It is made like ${source.name}: same revision, size, OS image and secrets, with an empty disk of its own.`,
        'The app’s addresses lead to it too as soon as it runs.',
      ]}
      {...(source.hourly_rate === null
        ? {}
        : {
            cost: (
              <>
                While it runs it adds <Cost usd={source.hourly_rate} per="hour" />.
              </>
            ),
          })}
      pending={isPending}
      problem={problemOf(error, 'No CVM was added')}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <SelectInput
        label="Host"
        value={place}
        choices={[
          { value: '', label: 'Any with room for it' },
          ...fitting.map((host) => ({
            value: String(host.teepod_id),
            label: `${host.name} (${host.region_identifier ?? 'no region'})`,
          })),
        ]}
        onChange={(event) => {
          reset();
          setPlace(event.target.value);
        }}
      />
    </ConfirmDialog>
  );
}

/** One CVM less. */
export function ScaleInDialog({
  teamSlug,
  cvm,
  last,
  onClose,
}: Omit<Props, 'appId'> & { cvm: Cvm; /** Whether no other is left after it. */ last: boolean }) {
  const refresh = useRefresh(teamSlug);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteCvm({ ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${cvm.name}?`}
      typedName={cvm.name}
      confirmLabel="Delete"
      effects={[
        last
          ? 'It is the last CVM of the app: nothing answers at the app’s addresses any more.'
          : 'The app’s addresses lead to the CVMs that are left.',
        'It goes to the recycle bin: for 24 hours it can be restored with its disk, which no other CVM shares.',
        'Metering ends.',
      ]}
      pending={isPending}
      problem={problemOf(error, 'It was not deleted')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
