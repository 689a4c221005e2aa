import { useState } from 'react';
import { scheduleCvmDelete, scheduleCvmStop } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { exactTime } from '../../../ui/data/time';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { ScheduleDialog } from './ScheduleDialog';
import { SettingRow, SettingRows } from './SettingRow';
import { useSetting } from './useSetting';

type What = 'stop' | 'delete';

const TEXTS: Record<What, { name: string; title: string; text: string; none: string }> = {
  stop: {
    name: 'Stop at a time',
    title: 'Stop it at a time to come',
    text: 'The containers are asked to end, then the VM stops; disk and secrets stay.',
    none: 'Not scheduled',
  },
  delete: {
    name: 'Delete at a time',
    title: 'Delete it at a time to come',
    text: 'It goes into the recycle bin, and 24 hours later disk and secrets are destroyed.',
    none: 'Not scheduled',
  },
};

export function SchedulePanel() {
  return (
    <Panel
      title="Schedule"
      subtitle="The team is told an hour before. What runs on the CVM at that time is waited for."
    >
      <SettingRows>
        <Scheduled what="stop" />
        <Scheduled what="delete" />
      </SettingRows>
    </Panel>
  );
}

function Scheduled({ what }: { what: What }) {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [open, setOpen] = useState(false);
  const at = what === 'stop' ? cvm.scheduled_stop_at : cvm.scheduled_delete_at;
  const { name, title, text, none } = TEXTS[what];
  const { save, pending, problem, reset } = useSetting<string | null>({
    send: (options, time) =>
      what === 'stop'
        ? scheduleCvmStop({ ...options, body: { scheduled_stop_at: time } })
        : scheduleCvmDelete({ ...options, body: { scheduled_delete_at: time } }),
    failed: 'The schedule was not changed',
    onDone: () => setOpen(false),
  });
  const shut = what === 'delete' && cvm.protected ? 'It is protected against deletion.' : undefined;
  return (
    <>
      <SettingRow
        name={name}
        value={
          at === null ? (
            none
          ) : (
            <>
              {exactTime(at)} · <RelativeTime at={at} />
            </>
          )
        }
        action={
          <>
            {at !== null && (
              <ActionButton reason={may.reason} onClick={() => save(null)}>
                Take back
              </ActionButton>
            )}
            <ActionButton
              reason={may.reason ?? shut}
              aria-label={`${at === null ? 'Schedule' : 'Change'}: ${name.toLowerCase()}`}
              onClick={() => setOpen(true)}
            >
              {at === null ? 'Schedule…' : 'Change…'}
            </ActionButton>
          </>
        }
      >
        {text}
        {problem && !open && <ErrorNotice problem={problem} />}
      </SettingRow>
      {open && (
        <ScheduleDialog
          title={title}
          at={at}
          pending={pending}
          problem={problem}
          onSave={save}
          onClose={() => {
            reset();
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
