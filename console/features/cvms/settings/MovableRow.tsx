import { useState } from 'react';
import { setCvmMovable } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { SettingRow } from './SettingRow';
import { useSetting } from './useSetting';

/** Whether a CVM may go to another host without its disk, rather than be stopped with its host. */
export function MovableRow() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [asking, setAsking] = useState(false);
  const { save, pending, problem, reset } = useSetting<boolean>({
    send: (options, movable) => setCvmMovable({ ...options, body: { movable } }),
    failed: 'It was not changed',
    onDone: () => setAsking(false),
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
          <ActionButton reason={may.reason} onClick={() => setAsking(true)}>
            {movable ? 'Forbid…' : 'Allow…'}
          </ActionButton>
        }
      >
        When its host is taken out of service, it is made anew on another one and begins there with an empty
        disk. Where that is not allowed it is stopped instead, after a notice, and keeps its disk.
      </SettingRow>
      <ConfirmDialog
        open={asking}
        danger={!movable}
        title={movable ? `Forbid moving ${cvm.name}?` : `Allow moving ${cvm.name} without its disk?`}
        confirmLabel={movable ? 'Forbid' : 'Allow'}
        effects={
          movable
            ? ['When its host is taken out of service it is stopped, after a notice.']
            : [
                'When its host is taken out of service it goes on elsewhere, without further notice.',
                'Everything on its disk is lost then. Its secrets, addresses and size stay.',
              ]
        }
        pending={pending}
        problem={problem}
        onConfirm={() => save(!movable)}
        onClose={() => {
          reset();
          setAsking(false);
        }}
      />
    </>
  );
}
