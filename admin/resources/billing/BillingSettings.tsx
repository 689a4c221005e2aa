import styled from '@emotion/styled';
import { useState } from 'react';
import type { AdminBillingSettings, AdminBillingSettingsPatch } from '../../../generated/api/types.gen';
import { financeActionTexts } from '../../../console/lib/billing/financeActions';
import { exactUsd } from '../../../console/lib/billing/money';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Notice } from '../../../console/ui/feedback/Notice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { FormShell } from '../../../console/ui/forms/FormShell';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, space, type } from '../../../console/ui/theme';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';
import { settingsHooks } from '../platform/api';
import { blocked, changedSettings } from '../platform/changedSettings';
import { transfersText } from './transfersText';

const Narrow = styled('div')({ maxWidth: 420 });
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
          <Debts settings={data} />
          <Panel title="Approvals" framed>
            <Text>
              {data.approval_limit === null
                ? 'One administrator can move any amount. To require a second administrator above a limit, start the server with BILLING_APPROVAL_LIMIT. The limit applies to:'
                : `One administrator can move up to ${exactUsd(data.approval_limit)} per team within 24 hours. All actions in that period add up, and anything every team can use, such as a promotion code, counts toward each team. An action that would exceed the limit, however small, needs a second administrator’s approval; approved actions don’t count. Set the limit with BILLING_APPROVAL_LIMIT on the server. The limit applies to:`}
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
    label: 'Days a pending payment postpones deletion',
    help: 'Counted from the day the payment starts. 0 to not postpone.',
    min: 0,
    max: 90,
  },
] as const;
type DayField = (typeof DAYS)[number];

function Debts({ settings }: { settings: AdminBillingSettings }) {
  const refused = usePermissionRefusal()('admin.billing.write');
  // Only what the user has changed, so that another administrator's save doesn't discard it.
  const [edits, setEdits] = useState<Partial<Record<DayField['name'], string>>>({});
  const typed = (name: DayField['name']) => (edits[name] ?? String(settings[name])).trim();
  const { mutate, error, isPending } = useSettingsChange();
  const isValid = ({ name, min, max }: DayField) => {
    const text = typed(name);
    return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
  };
  const changes = changedSettings(settings, {
    debt_grace_days: Number(typed('debt_grace_days')),
    debt_keep_days: Number(typed('debt_keep_days')),
    debt_pending_days: Number(typed('debt_pending_days')),
  });
  return (
    <Panel
      title="Debts"
      subtitle="When a team’s balance runs out, the team is notified, then its CVMs stop, and finally their disks are deleted. Existing debts keep their dates."
      framed
    >
      <Narrow>
        <FormShell
          aria-label="Debts"
          error={error ? problemOf(error, 'Couldn’t save the settings') : null}
          pending={isPending}
          onSubmit={() => mutate(changes, { onSuccess: () => setEdits((now) => (now === edits ? {} : now)) })}
          submitLabel="Save changes"
          {...blocked(refused, DAYS.every(isValid), changes)}
        >
          {!settings.requires_funds && (
            <Notice tone="neutral" title="Teams don’t need funds.">
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
              value={edits[field.name] ?? String(settings[field.name])}
              disabled={refused !== undefined}
              onChange={(event) => setEdits({ ...edits, [field.name]: event.target.value })}
              error={isValid(field) ? undefined : `Enter ${field.min} to ${field.max} days.`}
            />
          ))}
        </FormShell>
      </Narrow>
    </Panel>
  );
}
