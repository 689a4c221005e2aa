import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useState, type FormEvent } from 'react';
import type { AdminAlertKind, AdminChatLink } from '../../../generated/api/types.gen';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { FormDialog } from '../../../console/ui/forms/FormDialog';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { space } from '../../../console/ui/theme';
import { problemOf } from '../../http';
import { useChatChange } from './api';

const KINDS: Record<AdminAlertKind, string> = {
  host_unreachable: 'Hosts that do not answer',
  drain_blocked: 'Drains that do not go on',
  host_disk_low: 'Hosts that run out of disk',
  server_disk_low: 'This server runs out of disk',
  operations_failing: 'Many failing operations',
  queue_stuck: 'Queues that are stuck',
  mail_failing: 'Mail that is not delivered',
  kms_key_changed: 'A KMS with another key',
  schedule_failing: 'Schedules that fail',
  backup_old: 'No backup for a week',
};

const Form = styled('form')({ display: 'grid', gap: space(4) });
const Two = styled('div')({ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: space(3) });
const Kinds = styled('fieldset')({ border: 0, padding: 0, margin: 0, display: 'grid', gap: space(2) });

/** What one chat is told, how bad it must be, and when it is left alone. */
export function ChatSettings({ link, onClose }: { link: AdminChatLink; onClose: () => void }) {
  const [alerts, setAlerts] = useState<readonly AdminAlertKind[]>(link.alerts);
  const [min_severity, setSeverity] = useState(link.min_severity);
  const [from, setFrom] = useState(link.quiet_hours?.from ?? '');
  const [to, setTo] = useState(link.quiet_hours?.to ?? '');
  const [zone, setZone] = useState(link.time_zone ?? '');
  const save = useChatChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const quiet_hours = from !== '' && to !== '' ? { from, to } : null;
    const body = { alerts, min_severity, quiet_hours, time_zone: zone.trim() === '' ? null : zone.trim() };
    save.mutate({ method: 'PATCH', path: `/chats/${link.id}`, body }, { onSuccess: onClose });
  };
  const flip = (kind: AdminAlertKind, on: boolean) =>
    setAlerts((before) => (on ? [...before, kind] : before.filter((one) => one !== kind)));
  return (
    <FormDialog open onClose={save.isPending ? undefined : onClose} title={`What ${link.title} is told`} wide>
      <Form onSubmit={submit}>
        <Kinds>
          <legend>Alerts</legend>
          {(Object.keys(KINDS) as AdminAlertKind[]).map((kind) => (
            <SwitchInput
              key={kind}
              label={KINDS[kind]}
              checked={alerts.includes(kind)}
              onChange={(event) => flip(kind, event.target.checked)}
            />
          ))}
        </Kinds>
        <SelectInput
          label="From which severity"
          value={min_severity}
          onChange={(event) => setSeverity(event.target.value === 'critical' ? 'critical' : 'warning')}
          choices={[
            { value: 'warning', label: 'Warnings and critical alerts' },
            { value: 'critical', label: 'Critical alerts only' },
          ]}
        />
        <Two>
          <TextInput
            label="Quiet from"
            type="time"
            optional
            value={from}
            onChange={(e) => setFrom(e.target.value)}
          />
          <TextInput
            label="Quiet until"
            type="time"
            optional
            value={to}
            onChange={(e) => setTo(e.target.value)}
          />
        </Two>
        <TextInput
          label="Time zone"
          help="Such as Europe/Berlin; empty is UTC. What happens in quiet hours is told when they end, if it is not over by then."
          optional
          value={zone}
          onChange={(event) => setZone(event.target.value)}
        />
        {save.error && <ErrorNotice problem={problemOf(save.error, 'The settings were not saved')} />}
        <span>
          <Button type="submit" variant="contained" disabled={save.isPending}>
            Save
          </Button>
        </span>
      </Form>
    </FormDialog>
  );
}
