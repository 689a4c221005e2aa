import { useState } from 'react';
import { scheduleCvmDelete, scheduleCvmStop } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { currentMicros, stoppedMicros } from '../../../lib/billing/spend';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { SpendChange } from '../../../ui/data/SpendChange';
import { exactTime } from '../../../ui/data/time';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { KeepFocus } from '../../../ui/KeepFocus';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { ScheduleDialog } from './ScheduleDialog';
import { SettingRow, SettingRows } from './SettingRow';
import { ifUnchanged, useSetting } from './useSetting';

type What = 'stop' | 'delete';

const TEXTS: Record<What, { name: string; title: string; text: string; cost: string; none: string }> = {
  stop: {
    name: 'Scheduled stop',
    title: 'Schedule stop',
    text: 'Containers shut down, then the VM stops. Disk and secrets are kept.',
    cost: 'Cost once stopped',
    none: 'Not scheduled',
  },
  delete: {
    name: 'Scheduled deletion',
    title: 'Schedule deletion',
    text: 'Moves the CVM to the recycle bin. Disk and secrets are destroyed 24 hours later.',
    cost: 'Cost in the recycle bin',
    none: 'Not scheduled',
  },
};

export function SchedulePanel() {
  return (
    <Panel
      title="Schedule"
      subtitle="The team is notified an hour before. Operations in progress finish first."
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
  const at = what === 'stop' ? cvm.scheduled_stop_at : cvm.scheduled_delete_at;
  const { name, title, text, cost, none } = TEXTS[what];
  // The value as of when the dialog opened.
  const [opened, setOpened] = useState<CvmDetail | null>(null);
  const { save, pending, problem, reset } = useSetting<string | null>({
    guard: ifUnchanged(opened ?? cvm, `scheduled_${what}_at`),
    send: (options, time) =>
      what === 'stop'
        ? scheduleCvmStop({ ...options, body: { scheduled_stop_at: time } })
        : scheduleCvmDelete({ ...options, body: { scheduled_delete_at: time } }),
    failed: 'Couldn’t change the schedule',
    onDone: () => setOpened(null),
  });
  const blocked = what === 'delete' && cvm.protected ? 'Deletion protection is on.' : undefined;
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
          <KeepFocus>
            {at !== null && (
              <ActionButton reason={may.reason} pending={pending && !opened} onClick={() => save(null)}>
                Cancel schedule
              </ActionButton>
            )}
            <ActionButton
              reason={may.reason ?? blocked}
              aria-label={`${at === null ? 'Schedule' : 'Change'}: ${name.toLowerCase()}`}
              onClick={() => setOpened(cvm)}
            >
              {at === null ? 'Schedule…' : 'Change…'}
            </ActionButton>
          </KeepFocus>
        }
      >
        {text}
        {problem && !opened && <ErrorNotice problem={problem} />}
      </SettingRow>
      {opened && (
        <ScheduleDialog
          title={`${title} of ${cvm.name}`}
          intro={
            <>
              {text}{' '}
              <SpendChange
                label={cost}
                before={currentMicros(cvm)}
                after={stoppedMicros(cvm)}
                hourly={what === 'delete'}
              />
            </>
          }
          at={at}
          pending={pending}
          problem={problem}
          onSave={save}
          onClose={() => {
            reset();
            setOpened(null);
          }}
        />
      )}
    </>
  );
}
