import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { updateNotificationSettingsMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { NotificationSettings } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { fieldProblem } from '../../ui/feedback/problem';
import { useToast } from '../../ui/feedback/toasts';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { ownZone, zoneChoices } from './zones';

const Times = styled('div')({
  display: 'grid',
  gap: space(4),
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 160px), 1fr))',
});

interface Props {
  settings: NotificationSettings;
  onSaved: (settings: NotificationSettings) => void;
}

/** Hours during which notification email is held back, then sent together. */
export function QuietHoursPanel({ settings, onSaved }: Props) {
  const [on, setOn] = useState(settings.quiet_hours !== null);
  const [from, setFrom] = useState(settings.quiet_hours?.from ?? '22:00');
  const [to, setTo] = useState(settings.quiet_hours?.to ?? '07:00');
  const [zone, setZone] = useState(settings.time_zone ?? ownZone());
  const choices = useMemo(() => zoneChoices(settings.time_zone ?? ''), [settings.time_zone]);
  const toast = useToast();
  const save = useMutation({
    ...updateNotificationSettingsMutation(),
    onSuccess: (saved) => {
      onSaved(saved);
      toast({ tone: 'ok', title: 'Quiet hours saved' });
    },
  });
  const problem = problemOf(save.error, 'Couldn’t save quiet hours');
  const same = on && from === to;
  return (
    <Panel title="Quiet hours" framed>
      <FormShell
        aria-label="Quiet hours"
        error={problem}
        fields={['quiet_hours.from', 'quiet_hours.to', 'quiet_hours', 'time_zone']}
        pending={save.isPending}
        onSubmit={() => {
          if (!same) save.mutate({ body: { time_zone: zone, quiet_hours: on ? { from, to } : null } });
        }}
        submitLabel="Save quiet hours"
      >
        <SwitchInput
          label="Pause email during quiet hours"
          help="Notification emails are held and sent together when quiet hours end. The bell isn’t affected."
          checked={on}
          onChange={(event) => setOn(event.target.checked)}
        />
        {on && (
          <Times>
            <TextInput
              label="From"
              type="time"
              required
              value={from}
              onChange={(event) => setFrom(event.target.value)}
              error={fieldProblem(problem, 'quiet_hours.from')}
            />
            <TextInput
              label="To"
              type="time"
              required
              value={to}
              onChange={(event) => setTo(event.target.value)}
              error={
                same
                  ? 'The end must differ from the start.'
                  : (fieldProblem(problem, 'quiet_hours.to') ?? fieldProblem(problem, 'quiet_hours'))
              }
            />
            <SelectInput
              label="Time zone"
              value={zone}
              choices={choices}
              onChange={(event) => setZone(event.target.value)}
              error={fieldProblem(problem, 'time_zone')}
            />
          </Times>
        )}
      </FormShell>
    </Panel>
  );
}
