import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { updateBillingDetailsMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { BillingDetails } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { loadProblem, problemOf } from '../../api/problem';
import { useTeam, type May } from '../../api/session';
import { useStale } from '../../api/useStale';
import { countryName } from '../../lib/billing/countryName';
import { ActionButton } from '../../ui/controls/ActionButton';
import { KeyValue } from '../../ui/data/KeyValue';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { fieldProblem } from '../../ui/feedback/problem';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { TextArea, TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';
import { detailsOptions } from './queries';
import { taxText } from './texts';

/** Line breaks as printed. */
const Lines = styled('span')({ whiteSpace: 'pre-line' });

/** The address on invoices. */
export function DetailsPanel({ teamSlug, manage }: { teamSlug: string; manage: May }) {
  const team = useTeam(teamSlug);
  const { data, error, refetch } = useQuery(detailsOptions(teamSlug));
  const [isEditing, setEditing] = useState(false);
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load the billing details');
  return (
    <Panel
      title="Billing details"
      subtitle="Shown on future invoices."
      actions={
        data && (
          <ActionButton reason={manage.reason} onClick={() => setEditing(true)}>
            Edit details
          </ActionButton>
        )
      }
    >
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : data ? (
        <KeyValue
          facts={[
            { label: 'Name', value: data.legal_name ?? team.name, wide: true },
            { label: 'Address', value: <Lines>{data.address ?? '—'}</Lines>, wide: true },
            {
              label: 'Country',
              value: data.country === null ? '—' : (countryName(data.country) ?? data.country),
            },
            { label: 'VAT number', value: data.vat_id ?? '—' },
            {
              label: 'Tax',
              value: data.tax_rule === 'none' ? 'None' : taxText(data.tax_rule, data.tax_percent),
            },
          ]}
        />
      ) : (
        <RowsSkeleton rows={2} />
      )}
      {isEditing && data && (
        <DetailsDialog teamSlug={teamSlug} details={data} onClose={() => setEditing(false)} />
      )}
    </Panel>
  );
}

interface DialogProps {
  teamSlug: string;
  details: BillingDetails;
  onClose: () => void;
}

function DetailsDialog({ teamSlug, details, onClose }: DialogProps) {
  const [values, setValues] = useState({
    legal_name: details.legal_name ?? '',
    address: details.address ?? '',
    country: details.country ?? '',
    vat_id: details.vat_id ?? '',
  });
  const stale = useStale();
  const save = useMutation({
    ...updateBillingDetailsMutation(),
    onSuccess: async () => {
      await stale('getBillingDetails');
      onClose();
    },
  });
  const problem = problemOf(save.error, 'Couldn’t save the billing details');
  const field = (name: keyof typeof values) => ({
    value: values[name],
    error: fieldProblem(problem, name),
    onChange: ({ target }: { target: { value: string } }) =>
      setValues((before) => ({
        ...before,
        [name]: name === 'country' ? target.value.toUpperCase() : target.value,
      })),
  });
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return (
    <FormDialog open onClose={onClose} title="Billing details">
      <FormShell
        aria-label="Billing details"
        error={problem}
        fields={Object.keys(values)}
        pending={save.isPending}
        onSubmit={() =>
          save.mutate({
            ...inTeam(teamSlug),
            body: {
              legal_name: orNull(values.legal_name),
              address: orNull(values.address),
              country: orNull(values.country),
              vat_id: orNull(values.vat_id),
            },
          })
        }
        submitLabel="Save details"
        pendingLabel="Saving…"
        onCancel={onClose}
      >
        <TextInput
          label="Legal name"
          autoFocus
          autoComplete="organization"
          maxLength={200}
          {...field('legal_name')}
        />
        <TextArea
          label="Address"
          autoComplete="street-address"
          rows={3}
          maxLength={500}
          {...field('address')}
        />
        <TextInput
          label="Country code"
          help={countryName(values.country) ?? 'Two letters, such as DE.'}
          autoComplete="country"
          maxLength={2}
          {...field('country')}
        />
        <TextInput
          label="VAT number"
          help="An EU VAT number with its country prefix. Leave empty if you have none."
          autoComplete="off"
          maxLength={20}
          {...field('vat_id')}
        />
      </FormShell>
    </FormDialog>
  );
}
