import { useState } from 'react';
import { protectCvm, unprotectCvm } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { MovableRow } from './MovableRow';
import { SettingRow, SettingRows } from './SettingRow';
import { useSetting } from './useSetting';

export function ProtectionPanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [asking, setAsking] = useState(false);
  const { save, pending, problem, reset } = useSetting<boolean>({
    send: (options, on) => (on ? protectCvm(options) : unprotectCvm(options)),
    failed: cvm.protected ? 'The protection was not ended' : 'It was not protected',
    onDone: () => setAsking(false),
  });
  return (
    <Panel title="Protection">
      <SettingRows>
        <SettingRow
          name="Protection against deletion"
          value={
            <ToneChip tone={cvm.protected ? 'ok' : 'neutral'} glyph={cvm.protected ? 'check' : 'dot'}>
              {cvm.protected ? 'on' : 'off'}
            </ToneChip>
          }
          action={
            <ActionButton reason={may.reason} onClick={() => setAsking(true)}>
              {cvm.protected ? 'End protection…' : 'Protect…'}
            </ActionButton>
          }
        >
          While it is on nobody deletes this CVM: not here, not with a token, not by a schedule. Everything
          else stays possible. Ending it asks you to confirm that it is you.
        </SettingRow>
        <MovableRow />
      </SettingRows>
      <ConfirmDialog
        open={asking}
        danger={cvm.protected}
        title={cvm.protected ? `End the protection of ${cvm.name}?` : `Protect ${cvm.name} against deletion?`}
        confirmLabel={cvm.protected ? 'End protection' : 'Protect'}
        effects={
          cvm.protected
            ? ['Members of the team and their tokens can delete it again.']
            : [
                'Deleting it is refused until somebody ends the protection here.',
                ...(cvm.scheduled_delete_at === null ? [] : ['Its scheduled deletion is cancelled.']),
              ]
        }
        pending={pending}
        problem={problem}
        onConfirm={() => save(!cvm.protected)}
        onClose={() => {
          reset();
          setAsking(false);
        }}
      />
    </Panel>
  );
}
