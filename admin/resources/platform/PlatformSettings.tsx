import styled from '@emotion/styled';
import { useState, type FormEvent } from 'react';
import type { AdminSettings, AdminSettingsPatch } from '../../../generated/api/types.gen';
import { Button } from '../../../console/ui/controls/Button';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { Panel } from '../../../console/ui/layout/Panel';
import { space } from '../../../console/ui/theme';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';
import { settingsHooks } from './api';
import { LogLevel } from './LogLevel';

const Stack = styled('div')({ display: 'grid', gap: space(4) });
const Form = styled('form')({ display: 'grid', gap: space(4), maxWidth: 520, justifyItems: 'start' });

const { useSettings, useSettingsChange } = settingsHooks<{
  settings: AdminSettings;
  patch: AdminSettingsPatch;
}>('/admin/settings');

const MAX_HOURS = 23;

/** Settings of the whole platform. */
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
          {data ? (
            <RecycleBin key={data.updated_at} settings={data} />
          ) : (
            <PageSkeleton part label="Loading the settings" rows={2} />
          )}
          <LogLevel />
        </Stack>
      )}
    </>
  );
}

function RecycleBin({ settings }: { settings: AdminSettings }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const [givesWay, setGivesWay] = useState(settings.recycle_bin_gives_way);
  const [hours, setHours] = useState(String(settings.recycle_bin_min_age_hours));
  const { mutate, error, isPending } = useSettingsChange();
  const wanted = Number(hours);
  const isValid = /^\d{1,2}$/.test(hours.trim()) && wanted >= 1 && wanted <= MAX_HOURS;
  const isChanged =
    givesWay !== settings.recycle_bin_gives_way || wanted !== settings.recycle_bin_min_age_hours;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ recycle_bin_gives_way: givesWay, recycle_bin_min_age_hours: wanted });
  };
  return (
    <Panel
      title="Recycle bin"
      subtitle="Deleted CVMs keep their slot and disk on the host for 24 hours, during which they can be restored."
      framed
    >
      <Form onSubmit={submit}>
        <SwitchInput
          label="Make room for deployments"
          help="A deployment that no host has room for destroys the oldest deleted CVMs, as many as it needs. Their teams are notified. CVMs deleted because of a debt are kept."
          checked={givesWay}
          disabled={refused !== undefined}
          title={refused}
          onChange={(event) => setGivesWay(event.target.checked)}
        />
        <TextInput
          label="Minimum age"
          help="Deleted CVMs are kept at least this long."
          suffix="hours"
          inputMode="numeric"
          value={hours}
          disabled={refused !== undefined}
          onChange={(event) => setHours(event.target.value)}
          error={isValid ? undefined : `Enter 1 to ${MAX_HOURS} hours.`}
        />
        {error && <ErrorNotice problem={problemOf(error, 'Couldn’t save the settings')} />}
        <Button
          type="submit"
          variant="contained"
          disabled={refused !== undefined || !isValid || !isChanged || isPending}
          title={refused}
        >
          Save changes
        </Button>
      </Form>
    </Panel>
  );
}
