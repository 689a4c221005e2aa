import styled from '@emotion/styled';
import { useState } from 'react';
import type { AdminSettings, AdminSettingsPatch } from '../../../generated/api/types.gen';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { FormShell } from '../../../console/ui/forms/FormShell';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { Panel } from '../../../console/ui/layout/Panel';
import { space } from '../../../console/ui/theme';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';
import { settingsHooks } from './api';
import { blocked, changedSettings } from './changedSettings';
import { LogLevel } from './LogLevel';

const Stack = styled('div')({ display: 'grid', gap: space(4) });
const Narrow = styled('div')({ maxWidth: 520 });

const { useSettings, useSettingsChange } = settingsHooks<{
  settings: AdminSettings;
  patch: AdminSettingsPatch;
}>('/admin/settings');

const MAX_HOURS = 23;

/** Platform-wide settings. */
export function PlatformSettings() {
  const { data, error, refetch } = useSettings();
  useCrumbs([{ label: 'Settings' }]);
  return (
    <>
      <PageHeader title="Settings" subtitle="Apply to the whole platform." />
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the settings', () => void refetch())} />
      ) : (
        <Stack>
          <Placement settings={data} />
          <RecycleBin settings={data} />
          <LogLevel />
        </Stack>
      )}
    </>
  );
}

const PLACEMENTS = [
  { value: 'spread', label: 'Use the host with the most free memory' },
  { value: 'pack', label: 'Fill the fullest host first' },
] as const;

type Policy = AdminSettings['placement'];

/** How a host is chosen among those with room. */
function Placement({ settings }: { settings: AdminSettings | undefined }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const [edit, setEdit] = useState<Policy | null>(null);
  const placement = edit ?? settings?.placement ?? 'spread';
  const { mutate, error, isPending } = useSettingsChange();
  const isLoading = settings === undefined;
  const changes = settings === undefined ? {} : changedSettings(settings, { placement });
  return (
    <Panel
      title="Placement"
      subtitle="How a host is chosen for new and moved CVMs. Hosts with GPUs are left for CVMs that need them, and replicas of an app are kept on different machines."
      framed
    >
      <Narrow aria-busy={isLoading}>
        <FormShell
          aria-label="Placement"
          error={error ? problemOf(error, 'Couldn’t save the settings') : null}
          pending={isPending}
          onSubmit={() => mutate(changes, { onSuccess: () => setEdit((now) => (now === edit ? null : now)) })}
          submitLabel="Save placement"
          {...blocked(refused, true, changes)}
        >
          <SelectInput
            label="Host"
            help={
              placement === 'pack'
                ? 'Empty hosts stay empty, so they can be drained or turned off. A host failure affects more CVMs.'
                : 'CVMs share each host’s CPUs and disks with as few others as possible.'
            }
            value={placement}
            choices={PLACEMENTS}
            disabled={refused !== undefined || isLoading}
            title={refused}
            onChange={(event) => setEdit(event.target.value as Policy)}
          />
        </FormShell>
      </Narrow>
    </Panel>
  );
}

/** The form is shown disabled while the settings load, so that the content below doesn't move. */
function RecycleBin({ settings }: { settings: AdminSettings | undefined }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  // Only what the user has changed, so that another administrator's save doesn't discard it.
  const [edits, setEdits] = useState<{ givesWay?: boolean; hours?: string }>({});
  const givesWay = edits.givesWay ?? settings?.recycle_bin_gives_way ?? false;
  const hours = edits.hours ?? String(settings?.recycle_bin_min_age_hours ?? '');
  const { mutate, error, isPending } = useSettingsChange();
  const wanted = Number(hours);
  const isValid = /^\d{1,2}$/.test(hours.trim()) && wanted >= 1 && wanted <= MAX_HOURS;
  const isLoading = settings === undefined;
  const isDisabled = refused !== undefined || isLoading;
  const changes =
    settings === undefined
      ? {}
      : changedSettings(settings, { recycle_bin_gives_way: givesWay, recycle_bin_min_age_hours: wanted });
  return (
    <Panel
      title="Recycle bin"
      subtitle="Deleted CVMs keep their slot and disk on the host for 24 hours, during which they can be restored."
      framed
    >
      <Narrow aria-busy={isLoading}>
        <FormShell
          aria-label="Recycle bin"
          error={error ? problemOf(error, 'Couldn’t save the settings') : null}
          pending={isPending}
          onSubmit={() => mutate(changes, { onSuccess: () => setEdits((now) => (now === edits ? {} : now)) })}
          submitLabel="Save changes"
          {...blocked(refused, isValid, changes)}
        >
          <SwitchInput
            label="Make room for deployments"
            help="When no host has room for a deployment, the oldest deleted CVMs are destroyed until it fits. Their teams are notified. CVMs deleted because of a debt are kept."
            checked={givesWay}
            disabled={isDisabled}
            title={refused}
            onChange={(event) => setEdits({ ...edits, givesWay: event.target.checked })}
          />
          <TextInput
            label="Minimum age"
            help="Deleted CVMs are kept at least this long."
            suffix="hours"
            inputMode="numeric"
            value={hours}
            disabled={isDisabled}
            onChange={(event) => setEdits({ ...edits, hours: event.target.value })}
            error={isValid || isLoading ? undefined : `Enter 1 to ${MAX_HOURS} hours.`}
          />
        </FormShell>
      </Narrow>
    </Panel>
  );
}
