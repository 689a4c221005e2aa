import styled from '@emotion/styled';
import { useState } from 'react';
import type { AdminSettings, AdminSettingsPatch } from '../../../generated/api/types.gen';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { FormShell } from '../../../console/ui/forms/FormShell';
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
          <RecycleBin settings={data} />
          <LogLevel />
        </Stack>
      )}
    </>
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
