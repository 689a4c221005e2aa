import { useState } from 'react';
import { protectCvm, unprotectCvm } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { MovableRow } from './MovableRow';
import { SettingRow, SettingRows } from './SettingRow';
import { ifUnchanged, useSetting } from './useSetting';

export function ProtectionPanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  /** The value when the dialog opened, whatever others change meanwhile. */
  const [asked, setAsked] = useState<CvmDetail | null>(null);
  const shown = asked ?? cvm;
  const { save, pending, problem, reset } = useSetting<boolean>({
    guard: ifUnchanged(shown, 'protected'),
    send: (options, on) => (on ? protectCvm(options) : unprotectCvm(options)),
    failed: shown.protected ? 'Couldn’t turn off protection' : 'Couldn’t turn on protection',
    onDone: () => setAsked(null),
  });
  return (
    <Panel title="Protection">
      <SettingRows>
        <SettingRow
          name="Deletion protection"
          value={
            <ToneChip tone={cvm.protected ? 'ok' : 'neutral'} glyph={cvm.protected ? 'check' : 'dot'}>
              {cvm.protected ? 'on' : 'off'}
            </ToneChip>
          }
          action={
            <ActionButton reason={may.reason} onClick={() => setAsked(cvm)}>
              {cvm.protected ? 'Turn off…' : 'Turn on…'}
            </ActionButton>
          }
        >
          Prevents this CVM from being deleted in the console, through the API or by a schedule. Other actions
          still work. Turning it off requires confirming your identity.
        </SettingRow>
        <MovableRow />
      </SettingRows>
      <ConfirmDialog
        open={asked !== null}
        danger={shown.protected}
        title={
          shown.protected
            ? `Turn off deletion protection for ${cvm.name}?`
            : `Turn on deletion protection for ${cvm.name}?`
        }
        confirmLabel={shown.protected ? 'Turn off' : 'Turn on'}
        effects={
          shown.protected
            ? ['Team members and their tokens can delete this CVM again.']
            : [
                'The CVM can’t be deleted until protection is turned off here.',
                ...(shown.scheduled_delete_at === null ? [] : ['Its scheduled deletion is canceled.']),
              ]
        }
        pending={pending}
        problem={problem}
        onConfirm={() => save(!shown.protected)}
        onClose={() => {
          reset();
          setAsked(null);
        }}
      />
    </Panel>
  );
}
