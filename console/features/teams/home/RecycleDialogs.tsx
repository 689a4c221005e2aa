import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { purgeRecycledCvm, restoreCvm } from '../../../../generated/api/sdk.gen';
import type { RecycledCvm } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { useReloadLive } from '../../../api/useReloadLive';
import { problemOf } from '../../../api/problem';
import { parseMicros } from '../../../lib/billing/money';
import { networkName } from '../../../lib/kms/chains';
import { cvmNameProblem } from '../../../lib/ids';
import { cvmPath } from '../../../lib/paths';
import { operationKeys } from '../../../lib/cvms/operationWords';
import { formatGb } from '../../../lib/cvms/sizes';
import { SpendChange } from '../../../ui/data/SpendChange';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { TextInput } from '../../../ui/forms/TextInput';

interface Props {
  cvm: RecycledCvm;
  teamSlug: string;
  onClose: () => void;
}

export function RestoreDialog({ cvm, teamSlug, onClose }: Props) {
  const refresh = useReloadLive(teamSlug);
  const toast = useToast();
  // The name may have been taken since the list was loaded. The API then rejects it and a new one is requested.
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
    onSuccess: async ({ data: { in_progress, operation } }) => {
      await refresh();
      const link = { label: 'Open', href: cvmPath(teamSlug, cvm.vm_uuid) };
      toast(
        in_progress && operation
          ? {
              tone: 'progress',
              title: `Restored ${name}, starting`,
              // An update that the deletion interrupted may start it instead, so the type comes from the operation.
              operations: operationKeys(operation.type, cvm.vm_uuid),
              link,
            }
          : { tone: 'ok', title: `Restored ${name}`, link },
      );
      onClose();
    },
  });
  const problem = problemOf(error, 'Couldn’t restore the CVM');
  const wantsName = cvm.name_taken || problem?.code === 'ERR-01-004' || name !== cvm.name;
  const fault = name === '' ? 'Enter a name.' : cvmNameProblem(name);
  const before = parseMicros(cvm.hourly_rate);
  const after = parseMicros(cvm.running_hourly_rate);
  const size = `${cvm.vcpu} vCPU and ${formatGb(cvm.memory / 1024)} of memory`;
  return (
    <ConfirmDialog
      open
      title={`Restore ${cvm.name}?`}
      confirmLabel="Restore"
      effects={[
        `Its disk, sealed secrets and addresses are restored. It was ${cvm.starts ? 'running when it was deleted, so it starts' : 'stopped when it was deleted, so it stays stopped'}.`,
        `Its host ${cvm.node_name} must have ${size} free.`,
        ...(cvm.contract_chain_id === null
          ? []
          : [
              `Its contract on ${networkName(cvm.contract_chain_id)} decides whether it boots: it must still allow the compose hash and the host’s device.`,
            ]),
      ]}
      {...(before === null || after === null
        ? {}
        : {
            cost: (
              <SpendChange label={cvm.starts ? 'Cost' : 'Cost once started'} before={before} after={after} />
            ),
          })}
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
          help={`Another CVM is named ${cvm.name}.`}
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
  const refresh = useReloadLive(teamSlug);
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => purgeRecycledCvm({ ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true }),
    onSuccess: async () => {
      await refresh();
      toast({
        tone: 'progress',
        title: `Destroying ${cvm.name}`,
        operations: operationKeys('purge', cvm.vm_uuid),
      });
      onClose();
    },
  });
  const { secrets, public_urls, disk_gb } = cvm.lost;
  const rate = parseMicros(cvm.hourly_rate);
  return (
    <ConfirmDialog
      open
      danger
      title={`Destroy ${cvm.name} now?`}
      typedName={cvm.name}
      confirmLabel="Destroy"
      effects={[
        `Its ${formatGb(disk_gb)} disk is erased. The key exists only in this VM, so the data can’t be recovered.`,
        ...(secrets.length > 0 ? [`Sealed secrets are deleted: ${secrets.join(', ')}.`] : []),
        ...(public_urls.length > 0 ? ['Its addresses stop working.'] : []),
      ]}
      {...(rate === null ? {} : { cost: <SpendChange label="Cost" before={rate} after={0} hourly /> })}
      pending={isPending}
      problem={problemOf(error, 'Couldn’t destroy the CVM')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
