import { PendingButton } from '../../../console/ui/controls/PendingButton';
import styled from '@emotion/styled';
import { useState, type FormEvent } from 'react';
import type { AdminAlertKind, AdminChatLink } from '../../../generated/api/types.gen';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { DialogActions } from '../../../console/ui/forms/DialogActions';
import { FormDialog } from '../../../console/ui/forms/FormDialog';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { space } from '../../../console/ui/theme';
import { useSingleFlight } from '../../../console/ui/useSingleFlight';
import { problemOf } from '../../http';
import { useChatChange } from './api';

const KINDS: Record<AdminAlertKind, string> = {
  host_unreachable: 'Unreachable hosts',
  drain_blocked: 'Blocked drains',
  host_disk_low: 'Low disk space on a host',
  server_disk_low: 'Low disk space on this server',
  operations_failing: 'High operation failure rate',
  queue_stuck: 'Stuck queues',
  mail_failing: 'Failing mail delivery',
  kms_key_changed: 'Changed KMS keys',
  schedule_failing: 'Failing schedules',
  backup_old: 'No backup in the last week',
  books_unbalanced: 'Ledger out of balance',
  strays_held: 'Paused removal of leftover VMs',
  vms_not_stopping: 'Given-up VMs that don’t stop',
  cvms_lost: 'Lost CVMs',
  chain_rpc: 'Unreadable networks',
  usdc_not_current: 'Unreadable USDC deposits',
  audit_export_late: 'Audit log not delivered',
  image_unconfirmed: 'OS images with unconfirmed hashes',
};

const Form = styled('form')({ display: 'grid', gap: space(4) });
const Two = styled('div')({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: space(3),
});
const Kinds = styled('fieldset')({
  border: 0,
  padding: 0,
  margin: 0,
  display: 'grid',
  gap: space(2),
});

const BOTH = 'Enter both times, or neither.';

/** Alerts, minimum severity and quiet hours of one chat. */
export function ChatSettings({ link, onClose }: { link: AdminChatLink; onClose: () => void }) {
  const [alerts, setAlerts] = useState<readonly AdminAlertKind[]>(link.alerts);
  const [min_severity, setSeverity] = useState(link.min_severity);
  const [from, setFrom] = useState(link.quiet_hours?.from ?? '');
  const [to, setTo] = useState(link.quiet_hours?.to ?? '');
  const [zone, setZone] = useState(link.time_zone ?? '');
  const [tried, setTried] = useState(false);
  /** Quiet hours need both a start and an end. */
  const isHalf = (from === '') !== (to === '');
  const save = useChatChange();
  const send = useSingleFlight(save.mutate);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (save.isPending || isHalf) return;
    const quiet_hours = from !== '' && to !== '' ? { from, to } : null;
    const body = {
      alerts,
      min_severity,
      quiet_hours,
      time_zone: zone.trim() === '' ? null : zone.trim(),
    };
    send({ method: 'PATCH', path: `/chats/${link.id}`, body }, { onSuccess: onClose });
  };
  const flip = (kind: AdminAlertKind, on: boolean) =>
    setAlerts((before) => (on ? [...before, kind] : before.filter((one) => one !== kind)));
  return (
    <FormDialog
      open
      onClose={save.isPending ? undefined : onClose}
      title={`Notification settings: ${link.title}`}
      wide
    >
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
          label="Severity"
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
            error={tried && isHalf && from === '' ? BOTH : undefined}
            onChange={(e) => setFrom(e.target.value)}
          />
          <TextInput
            label="Quiet until"
            type="time"
            optional
            value={to}
            error={tried && isHalf && to === '' ? BOTH : undefined}
            onChange={(e) => setTo(e.target.value)}
          />
        </Two>
        <TextInput
          label="Time zone"
          help="For example Europe/Berlin. Defaults to UTC. Alerts still open when quiet hours end are sent then."
          optional
          value={zone}
          onChange={(event) => setZone(event.target.value)}
        />
        {save.error && <ErrorNotice problem={problemOf(save.error, 'Couldn’t save the settings')} />}
        <DialogActions onCancel={onClose} pending={save.isPending}>
          <PendingButton type="submit" variant="contained" pending={save.isPending} isRefused={save.isError}>
            Save changes
          </PendingButton>
        </DialogActions>
      </Form>
    </FormDialog>
  );
}
