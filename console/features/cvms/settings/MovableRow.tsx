import { useState } from 'react';
import { setCvmMovable } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { SettingRow } from './SettingRow';
import { ifUnchanged, useSetting } from './useSetting';

/** Whether a CVM may move to another host without its disk instead of stopping with its host. */
export function MovableRow() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  /** The value when the dialog opened, whatever others change meanwhile. */
  const [asked, setAsked] = useState<CvmDetail | null>(null);
  const shown = asked ?? cvm;
  const { save, pending, problem, reset } = useSetting<boolean>({
    guard: ifUnchanged(shown, 'movable'),
    send: (options, movable) => setCvmMovable({ ...options, body: { movable } }),
    failed: 'Couldn’t change the setting',
    onDone: () => setAsked(null),
  });
  const { movable } = cvm;
  return (
    <>
      <SettingRow
        name="Move to another host"
        value={
          <ToneChip tone="neutral" glyph={movable ? 'check' : 'dot'}>
            {movable ? 'allowed' : 'not allowed'}
          </ToneChip>
        }
        action={
          <ActionButton reason={may.reason} onClick={() => setAsked(cvm)}>
            {movable ? 'Forbid…' : 'Allow…'}
          </ActionButton>
        }
      >
        If its host is taken out of service, the CVM is recreated on another host with an empty disk.
        Otherwise it is stopped after a notice and keeps its disk.
      </SettingRow>
      <ConfirmDialog
        open={asked !== null}
        danger={!shown.movable}
        title={shown.movable ? `Forbid moving ${cvm.name}?` : `Allow moving ${cvm.name} without its disk?`}
        confirmLabel={shown.movable ? 'Forbid' : 'Allow'}
        effects={
          shown.movable
            ? ['If its host is taken out of service, the CVM is stopped after a notice.']
            : [
                'If its host is taken out of service, the CVM moves to another host without further notice.',
                'All data on its disk is lost. Its secrets, addresses and size are kept.',
              ]
        }
        pending={pending}
        problem={problem}
        onConfirm={() => save(!shown.movable)}
        onClose={() => {
          reset();
          setAsked(null);
        }}
      />
    </>
  );
}
