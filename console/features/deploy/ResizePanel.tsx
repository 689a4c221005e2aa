import { styled } from '@mui/material/styles';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getCvmOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { updateCvmResources } from '../../../generated/api/sdk.gen';
import type { UpdateCvmResources } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { formatMicros, parseMicros, perMonth } from '../../lib/money';
import { Cost } from '../../ui/data/Cost';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { serverFieldErrors } from './form';
import { instanceTypesOptions, sizesOf, usePrice } from './queries';
import { checkResize, sizeOf, toResources } from './resize';
import { type SizeFields, SizeSection } from './SizeSection';

const Price = styled('p')({ ...type.body, color: color.muted, marginTop: space(1) });

/** A larger or smaller machine for the same disk, addresses and secrets. */
export function ResizePanel({ teamSlug, vmUuid }: { teamSlug: string; vmUuid: string }) {
  const { data: cvm } = useSuspenseQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const { data: types } = useSuspenseQuery(instanceTypesOptions());
  const may = useMay('cvms.write', teamSlug);
  const queryClient = useQueryClient();
  const sizes = sizesOf(types);
  const now = sizeOf(cvm, sizes);
  const [edited, setEdited] = useState<SizeFields | null>(null);
  const [asking, setAsking] = useState(false);
  const fields = edited ?? now;
  const errors = checkResize(fields, now);
  const valid = Object.keys(errors).length === 0;
  const body = valid ? toResources(fields, now) : null;
  const price = usePrice(teamSlug, body === null ? null : { ...fields });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (wanted: UpdateCvmResources) =>
      updateCvmResources({
        ...inTeam(teamSlug),
        path: { cvm_id: cvm.id },
        body: { ...wanted, allow_restart: true },
        throwOnError: true,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      setAsking(false);
      setEdited(null);
    },
  });
  const server = isApiError(error)
    ? serverFieldErrors({ message: error.message, code: error.code, details: error.fields })
    : {};
  const busy = cvm.in_progress
    ? `Wait until the ${cvm.operation?.type ?? 'running change'} has ended.`
    : undefined;
  const blocked =
    may.reason ??
    busy ??
    (!valid ? 'Correct the size first.' : body === null ? 'It has this size.' : undefined);
  const costs = price && cvm.hourly_rate !== null && (
    <>
      <Cost usd={cvm.hourly_rate} per="hour" /> → <Cost usd={price.hourly_rate} per="hour" /> (
      <Cost usd={price.monthly_estimate} per="month" />, was{' '}
      <Cost usd={monthly(cvm.hourly_rate)} per="month" />)
    </>
  );
  return (
    <Panel title="Size">
      <FormShell
        aria-label="Resize"
        error={asking ? null : problemOf(error, 'It was not resized')}
        pending={isPending}
        onSubmit={() => setAsking(true)}
        submitLabel="Resize…"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <SizeSection
          sizes={sizes}
          withDisk={false}
          value={fields}
          errors={{ ...server, ...errors }}
          diskPlaceholder={now.disk_gb}
          diskHelp="It can grow, never shrink."
          onChange={(change) => {
            reset();
            setEdited({ ...fields, ...change });
          }}
        />
        {costs && <Price>{costs}</Price>}
      </FormShell>
      <ConfirmDialog
        open={asking}
        title={`Resize ${cvm.name}?`}
        confirmLabel="Resize"
        effects={[
          cvm.desired_status === 'stopped'
            ? 'It is stopped and stays so; the next start has the new size.'
            : 'It stops, changes its size and boots again; its addresses answer nothing meanwhile.',
          'Data on the disk, secrets and addresses stay.',
          ...(body?.disk_size === undefined
            ? []
            : [`The disk grows to ${body.disk_size} GB, which cannot be undone.`]),
        ]}
        {...(costs ? { cost: costs } : {})}
        pending={isPending}
        problem={problemOf(error, 'It was not resized')}
        onConfirm={() => body && mutate(body)}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}

function monthly(hourly_rate: string): string {
  const micros = parseMicros(hourly_rate);
  return micros === null ? hourly_rate : formatMicros(Math.round(perMonth(micros) / 10_000) * 10_000);
}
