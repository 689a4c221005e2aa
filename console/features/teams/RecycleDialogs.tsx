import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { purgeRecycledCvm, restoreCvm } from '../../../generated/api/sdk.gen';
import type { RecycledCvm } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { cvmNameProblem } from '../../lib/ids';
import { cvmPath } from '../../lib/paths';
import { formatGb } from '../../lib/sizes';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { fieldProblem } from '../../ui/feedback/problem';
import { useToast } from '../../ui/feedback/toasts';
import { TextInput } from '../../ui/forms/TextInput';

interface Props {
  cvm: RecycledCvm;
  teamSlug: string;
  onClose: () => void;
}

/** Asks everything live again, the bin among it. */
function useRefresh(teamSlug: string) {
  const queryClient = useQueryClient();
  return () =>
    queryClient.invalidateQueries({ predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]) });
}

export function RestoreDialog({ cvm, teamSlug, onClose }: Props) {
  const refresh = useRefresh(teamSlug);
  const toast = useToast();
  // Another may have taken the name after the list was read: then the refusal asks for a new one.
  const [name, setName] = useState(cvm.name_taken ? '' : cvm.name);
  const [tried, setTried] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      restoreCvm({
        ...inTeam(teamSlug),
        path: { cvm_id: cvm.id },
        body: name === cvm.name ? {} : { name },
        throwOnError: true,
      }),
    onSuccess: async () => {
      await refresh();
      toast({
        tone: 'ok',
        title: `${name} is restored`,
        link: { label: 'Open', href: cvmPath(teamSlug, cvm.vm_uuid) },
      });
      onClose();
    },
  });
  const problem = problemOf(error, 'It was not restored');
  const wantsName = cvm.name_taken || problem?.code === 'ERR-01-004' || name !== cvm.name;
  const fault = name === '' ? 'A name is needed.' : cvmNameProblem(name);
  const size = `${cvm.vcpu} vCPU and ${formatGb(cvm.memory / 1024)} of memory`;
  return (
    <ConfirmDialog
      open
      title={`Restore ${cvm.name}?`}
      confirmLabel="Restore"
      effects={[
        'It comes back with its disk, sealed secrets and addresses; if it ran, it is started again.',
        `Its host ${cvm.node_name} reserves ${size} for it anew; when the host is full by now, it says so.`,
      ]}
      pending={isPending}
      problem={problem}
      onConfirm={() => {
        setTried(true);
        if (fault === null) mutate();
      }}
      onClose={onClose}
    >
      {wantsName ? (
        <TextInput
          label="New name"
          help={`Another CVM is called ${cvm.name} now.`}
          maxLength={63}
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          error={(tried ? fault : null) ?? fieldProblem(problem, 'name')}
        />
      ) : undefined}
    </ConfirmDialog>
  );
}

export function PurgeDialog({ cvm, teamSlug, onClose }: Props) {
  const refresh = useRefresh(teamSlug);
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => purgeRecycledCvm({ ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true }),
    onSuccess: async () => {
      await refresh();
      toast({ tone: 'ok', title: `${cvm.name} is destroyed` });
      onClose();
    },
  });
  const { secrets, public_urls, disk_gb } = cvm.lost;
  return (
    <ConfirmDialog
      open
      danger
      title={`Destroy ${cvm.name} now?`}
      typedName={cvm.name}
      confirmLabel="Destroy"
      effects={[
        `The disk of ${formatGb(disk_gb)} is erased. Its key exists in this VM only: nobody can bring the data back.`,
        ...(secrets.length > 0 ? [`Sealed secrets are gone: ${secrets.join(', ')}.`] : []),
        ...(public_urls.length > 0 ? ['Its addresses stop existing.'] : []),
        'Metering of its disk ends.',
      ]}
      pending={isPending}
      problem={problemOf(error, 'It was not destroyed')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
