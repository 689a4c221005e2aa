import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getCvmPricesOptions,
  listAvailableTeepodsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { createCvmReplica, deleteCvm } from '../../../generated/api/sdk.gen';
import type { Cvm } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { useReloadLive } from '../../api/useReloadLive';
import { problemOf } from '../../api/problem';
import { useContractWait } from '../../api/contracts/useContractWait';
import { useRenounced } from '../../api/useRenounced';
import { replacedText, useWaitingChange } from '../../api/useWaitingChange';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { parseMicros } from '../../lib/billing/money';
import { currentMicros, hourlyMicros, stoppedMicros } from '../../lib/billing/spend';
import { operationKeys } from '../../lib/cvms/operationWords';
import { guardingNetwork } from '../../lib/kms/chains';
import { SpendChange } from '../../ui/data/SpendChange';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { useToast } from '../../ui/feedback/toasts';
import { SelectInput } from '../../ui/forms/SelectInput';
import { appCvmPath } from '../../lib/paths';
import { appOptions } from './queries';

interface Props {
  teamSlug: string;
  appId: string;
  onClose: () => void;
}

/** Adds a CVM to the app, copied from `source`. */
export function ScaleOutDialog({ teamSlug, appId, source, onClose }: Props & { source: Cvm }) {
  const [place, setPlace] = useState('');
  const { data: hosts } = useQuery(listAvailableTeepodsOptions({ ...inTeam(teamSlug) }));
  const key = useIdempotencyKey();
  const refresh = useReloadLive(teamSlug);
  const toast = useToast();
  const network = guardingNetwork(source);
  const replaced = useWaitingChange(teamSlug, appId, source, { kind: 'replica', cvm_id: source.id });
  const isFinal = useRenounced(teamSlug, appId, source) !== null;
  const { lead, shown } = useContractWait(
    teamSlug,
    source.vm_uuid === null ? null : appCvmPath(teamSlug, appId, source.vm_uuid, 'kms'),
    onClose,
  );
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
        title: `Creating ${made.name}`,
        operations: operationKeys('deploy', made.vm_uuid),
        ...(made.vm_uuid ? { link: { label: 'View', href: appCvmPath(teamSlug, appId, made.vm_uuid) } } : {}),
      });
      onClose();
    },
    onError: lead,
  });
  const { data: app, error: appError, refetch: readApp } = useQuery(appOptions(teamSlug, appId));
  const now = hourlyMicros(app?.cvms ?? []);
  const prices = useQuery(getCvmPricesOptions({ ...inTeam(teamSlug), path: { cvm_id: source.id } }));
  const priceProblem = problemOf(
    (prices.data ? null : prices.error) ?? (app ? null : appError),
    'Couldn’t load the price',
    () => void Promise.all([prices.refetch(), readApp()]),
  );
  const added = parseMicros(prices.data?.replica_hourly_rate ?? '');
  const fitting = (hosts?.nodes ?? []).filter(
    (host) =>
      host.remaining_cvm_slots > 0 &&
      host.remaining_vcpu >= (source.resource.vcpu ?? 0) &&
      host.remaining_memory >= (source.resource.memory_in_gb ?? 0) * 1024,
  );
  return (
    <ConfirmDialog
      open
      title={`Scale out ${app?.name ?? 'the app'} by one CVM?`}
      confirmLabel="Scale out"
      effects={[
        `Creates a copy of ${source.name} with the same revision, size, OS image and secrets, and its own empty disk.`,
        'The app’s addresses also route to it once it’s running.',
        ...(network === null
          ? []
          : [
              isFinal
                ? `The app’s contract on ${network} no longer has an owner, so only hosts whose device it already allows can be used.`
                : `If the app’s contract on ${network} doesn’t allow the host’s device, the CVM waits until the owner allows it on the KMS tab.`,
            ]),
        ...(replaced ? [replacedText(replaced)] : []),
      ]}
      {...(added === null || !app
        ? {}
        : { cost: <SpendChange label="App cost" before={now} after={now + added} /> })}
      blocked={added === null || !app}
      pending={isPending}
      problem={problemOf(shown(error), 'Couldn’t add a CVM') ?? priceProblem}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <SelectInput
        label="Host"
        value={place}
        choices={[
          { value: '', label: 'Any host with capacity' },
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

/** Removes a CVM from the app. */
export function ScaleInDialog({
  teamSlug,
  cvm,
  last,
  onClose,
}: Omit<Props, 'appId'> & { cvm: Cvm; /** Whether this is the app's last CVM. */ last: boolean }) {
  const refresh = useReloadLive(teamSlug);
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
          ? 'This is the app’s last CVM, so the app’s addresses become unavailable.'
          : 'The app’s addresses route to the remaining CVMs.',
        'It moves to the recycle bin. You can restore it, with its disk, for 24 hours.',
        'Until then, you pay only for its disk.',
      ]}
      cost={
        <SpendChange
          label="Cost in the recycle bin"
          before={currentMicros(cvm)}
          after={stoppedMicros(cvm)}
          hourly
        />
      }
      pending={isPending}
      problem={problemOf(error, 'Couldn’t delete the CVM')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
