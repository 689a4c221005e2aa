import styled from '@emotion/styled';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { getCvmOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { updateCvmResources } from '../../../../generated/api/sdk.gen';
import type { CvmDetail, UpdateCvmResources } from '../../../../generated/api/types.gen';
import { ConflictError } from '../../../api/apiError';
import { useBootCheck } from '../../../api/bootCheck';
import { inTeam } from '../../../api/client';
import { useReloadLive } from '../../../api/useReloadLive';
import { problemOf } from '../../../api/problem';
import { useRunway } from '../../../api/runway';
import { useMay } from '../../../api/session';
import { conflictReason, useVersionedForm } from '../../../api/versions';
import { waitText } from '../../../lib/cvms/blockedText';
import { parseMicros } from '../../../lib/billing/money';
import { CUSTOM_DISK_GB, currentMicros } from '../../../lib/billing/spend';
import { SpendChange } from '../../../ui/data/SpendChange';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import type { Problem } from '../../../ui/feedback/problem';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { BootWarning } from '../../../ui/kms/BootWarning';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { formProblem } from './deployProblem';
import { fieldErrorsOf } from './form';
import { instanceTypesOptions, sizesOf, useResizedPrice } from './queries';
import { checkResize, onlyDisk, SIZE_FIELDS, sizeAfter, sizeOf, toResources } from './resize';
import { SizeSection } from './SizeSection';

const Price = styled('p')({ ...type.body, color: color.muted, marginTop: space(1) });

const SHOWN = ['size', 'vcpu', 'memory_gb', 'disk_gb'] as const;
const SIZE_LABELS = { size: 'Size', vcpu: 'vCPU', memory_gb: 'Memory (GB)', disk_gb: 'Disk (GB)' };

/** Resizes the CVM. Its disk, addresses and secrets stay. */
export function ResizePanel({ teamSlug, vmUuid }: { teamSlug: string; vmUuid: string }) {
  const { data: cvm } = useSuspenseQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const { data: types } = useSuspenseQuery(instanceTypesOptions());
  const may = useMay('cvms.write', teamSlug);
  const fixed = onlyDisk(cvm);
  const sizes = sizesOf(types, fixed === undefined ? [] : [cvm.instance_type ?? '']);
  const reload = useReloadLive(teamSlug);
  const form = useVersionedForm(
    { values: sizeOf(cvm, sizes), etag: cvm.etag },
    { fields: SIZE_FIELDS, read: (changed, base) => sizeAfter(changed, base, sizes), refresh: reload },
  );
  const [asking, setAsking] = useState(false);
  const fields = form.values;
  const now = form.base.values;
  const errors = checkResize(fields, now);
  const valid = Object.keys(errors).length === 0;
  const body = valid ? toResources(fields, now) : null;
  const price = useResizedPrice(teamSlug, cvm.id, body);
  const priceProblem = problemOf(price.error, 'Couldn’t load the price', price.retry);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (wanted: UpdateCvmResources) =>
      form.send((version) =>
        updateCvmResources({
          headers: { ...inTeam(teamSlug).headers, ...version },
          path: { cvm_id: cvm.id },
          body: { ...wanted, allow_restart: true },
          throwOnError: true,
        }),
      ),
    onSuccess: async () => {
      await reload();
      setAsking(false);
      form.reset();
    },
    onError: (failure) => {
      if (failure instanceof ConflictError) setAsking(false);
    },
  });
  const server = fieldErrorsOf(error);
  const busy = cvm.in_progress ? waitText(cvm.operation) : undefined;
  const blocked =
    may.reason ??
    conflictReason(form) ??
    busy ??
    (!valid ? 'Fix the size first.' : body === null ? 'This is the current size.' : undefined);
  const before = parseMicros(cvm.hourly_rate.total);
  const lasts = useRunway(teamSlug, { more: (price.micros ?? 0) - currentMicros(cvm) });
  const costs = before !== null && price.micros !== null && (
    <>
      <SpendChange
        label={cvm.desired_status === 'stopped' ? 'Cost while running' : 'Cost'}
        before={before}
        after={price.micros}
      />
      {lasts !== undefined && `. Balance would last: ${lasts}`}
    </>
  );
  return (
    <Panel title="Size">
      <FormConflict form={form} labels={SIZE_LABELS} />
      <FormShell
        aria-label="Resize"
        error={asking ? null : (formProblem(error, 'Couldn’t resize the CVM', SHOWN) ?? priceProblem)}
        pending={isPending}
        onSubmit={() => setAsking(true)}
        submitLabel="Resize…"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <SizeSection
          sizes={sizes}
          withDisk={false}
          {...(fixed === undefined ? {} : { onlyDisk: fixed })}
          value={fields}
          errors={{ ...server, ...errors }}
          includedDisk={sizes.find(({ id }) => id === fields.size)?.default_disk_size_gb ?? CUSTOM_DISK_GB}
          diskPlaceholder={now.disk_gb}
          diskHelp="The disk can grow but never shrink."
          onChange={(change) => {
            reset();
            form.edit(change);
          }}
        />
        {costs && <Price>{costs}</Price>}
      </FormShell>
      {asking && body && (
        <ResizeDialog
          teamSlug={teamSlug}
          cvm={cvm}
          resize={body}
          costs={costs}
          blocked={!price.isKnown}
          pending={isPending}
          problem={problemOf(error, 'Couldn’t resize the CVM') ?? priceProblem}
          onConfirm={() => mutate(body)}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

interface DialogProps {
  teamSlug: string;
  cvm: CvmDetail;
  resize: UpdateCvmResources;
  costs: ReactNode;
  /** Whether its price is unknown. */
  blocked: boolean;
  pending: boolean;
  problem: Problem | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Shows the effect of the resize before confirming. */
function ResizeDialog({ teamSlug, cvm, resize, costs, ...rest }: DialogProps) {
  const boots = cvm.desired_status !== 'stopped';
  const { guarded, ...check } = useBootCheck(teamSlug, boots ? [cvm] : []);
  const effects = [
    boots
      ? 'It restarts with the new size. Its addresses are unavailable until it boots.'
      : 'It stays stopped. The next start uses the new size.',
    'Disk data, secrets and addresses are kept.',
  ];
  if (resize.disk_size !== undefined)
    effects.push(`The disk grows to ${resize.disk_size} GB. This can’t be undone.`);
  if (isCovered(cvm))
    effects.push(
      Object.keys(resize).every((key) => key === 'disk_size')
        ? 'Its reservation doesn’t cover the larger disk.'
        : 'Its reservation doesn’t cover the new size.',
    );
  return (
    <ConfirmDialog
      open
      title={`Resize ${cvm.name}?`}
      confirmLabel="Resize"
      effects={effects}
      {...(costs ? { cost: costs } : {})}
      {...rest}
    >
      {guarded ? <BootWarning {...check} verb="resize" /> : undefined}
    </ConfirmDialog>
  );
}

/** Whether an order pays for a part of the CVM. */
const isCovered = ({ hourly_rate, resource }: CvmDetail): boolean =>
  (parseMicros(hourly_rate.total) ?? 0) < (parseMicros(resource.compute_billing_price ?? '') ?? 0);
