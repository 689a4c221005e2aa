import styled from '@emotion/styled';
import { useState, type FormEvent } from 'react';
import type { AdminBillingSettings, AdminBillingSettingsPatch } from '../../../generated/api/types.gen';
import { financeActionTexts } from '../../../console/lib/billing/financeActions';
import { exactUsd } from '../../../console/lib/billing/money';
import { Button } from '../../../console/ui/controls/Button';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Notice } from '../../../console/ui/feedback/Notice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, space, type } from '../../../console/ui/theme';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';
import { settingsHooks } from '../platform/api';
import { transfersText } from './transfersText';

const Form = styled('form')({
  display: 'grid',
  gap: space(4),
  maxWidth: 420,
  '& > button': { justifySelf: 'start' },
});
const Stack = styled('div')({ display: 'grid', gap: space(4) });
const List = styled('ul')({ ...type.body, columns: '220px 3', marginTop: space(2), paddingLeft: space(5) });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

const { useSettings, useSettingsChange } = settingsHooks<{
  settings: AdminBillingSettings;
  patch: AdminBillingSettingsPatch;
}>('/admin/billing-settings');

/** The rules for teams in debt, and this server's billing configuration. */
export function BillingSettings() {
  const { data, error, refetch } = useSettings();
  useCrumbs([{ label: 'Billing settings' }]);
  return (
    <>
      <PageHeader title="Billing settings" subtitle="Apply to all teams." />
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the settings', () => void refetch())} />
      ) : data ? (
        <Stack>
          <Debts key={data.updated_at} settings={data} />
          <Panel title="Approvals" framed>
            <Text>
              {data.approval_limit === null
                ? 'One administrator is enough for any amount. Start the server with BILLING_APPROVAL_LIMIT to require a second one above an amount for:'
                : `One administrator can move up to ${exactUsd(data.approval_limit)} for a team within 24 hours. All actions of that time add up, and what any team can use, such as a promotion code, counts for each. An action that would go beyond, however small, waits for a second administrator; what was approved doesn’t count. The server’s BILLING_APPROVAL_LIMIT sets the amount. It applies to:`}
            </Text>
            <List aria-label="Actions that need approval">
              {Object.entries(financeActionTexts).map(([kind, text]) => (
                <li key={kind}>{text}</li>
              ))}
            </List>
          </Panel>
          <Panel title="Bank transfers" framed>
            <Text>{transfersText(data)}</Text>
          </Panel>
        </Stack>
      ) : (
        <PageSkeleton part label="Loading the settings" rows={3} />
      )}
    </>
  );
}

const DAYS = [
  {
    name: 'debt_grace_days',
    label: 'Days until CVMs stop',
    help: 'Counted from the start of the debt.',
    min: 0,
    max: 365,
  },
  {
    name: 'debt_keep_days',
    label: 'Days until disks are deleted',
    help: 'Counted from the day the CVMs stop. They then stay in the recycle bin for 24 hours.',
    min: 1,
    max: 3650,
  },
  {
    name: 'debt_pending_days',
    label: 'Days a payment on its way postpones the deletion',
    help: 'Counted from the start of the payment. 0 if it doesn’t.',
    min: 0,
    max: 90,
  },
] as const;

function Debts({ settings }: { settings: AdminBillingSettings }) {
  const refused = usePermissionRefusal()('admin.billing.write');
  const [days, setDays] = useState(() =>
    Object.fromEntries(DAYS.map(({ name }) => [name, String(settings[name])])),
  );
  const { mutate, error, isPending } = useSettingsChange();
  const isValid = ({ name, min, max }: (typeof DAYS)[number]) => {
    const text = days[name]?.trim() ?? '';
    return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
  };
  const changes = Object.fromEntries(
    DAYS.filter(({ name }) => Number(days[name]) !== settings[name]).map(({ name }) => [
      name,
      Number(days[name]),
    ]),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(changes);
  };
  return (
    <Panel
      title="Debts"
      subtitle="A team whose balance is used up is notified, then its CVMs stop, and at last their disks are deleted. Debts that exist keep their dates."
      framed
    >
      <Form onSubmit={submit}>
        {!settings.requires_funds && (
          <Notice tone="neutral" title="No team needs funds.">
            Start the server with BILLING_ENFORCEMENT=on to stop teams in debt.
          </Notice>
        )}
        {DAYS.map((field) => (
          <TextInput
            key={field.name}
            label={field.label}
            help={field.help}
            suffix="days"
            inputMode="numeric"
            value={days[field.name] ?? ''}
            disabled={refused !== undefined}
            onChange={(event) => setDays({ ...days, [field.name]: event.target.value })}
            error={isValid(field) ? undefined : `Enter ${field.min} to ${field.max} days.`}
          />
        ))}
        {error && <ErrorNotice problem={problemOf(error, 'Couldn’t save the settings')} />}
        <Button
          type="submit"
          variant="contained"
          disabled={
            refused !== undefined || !DAYS.every(isValid) || Object.keys(changes).length === 0 || isPending
          }
          title={refused}
        >
          Save changes
        </Button>
      </Form>
    </Panel>
  );
}
