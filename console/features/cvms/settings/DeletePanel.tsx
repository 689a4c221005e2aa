import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteCvm } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { recycleBinPath, teamPath } from '../../../lib/paths';
import { currentMicros, stoppedMicros } from '../../../lib/billing/spend';
import { operationKeys } from '../../../lib/cvms/operationWords';
import { formatGb } from '../../../lib/cvms/sizes';
import { SpendChange } from '../../../ui/data/SpendChange';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { useToast } from '../../../ui/feedback/toasts';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { Panel } from '../../../ui/layout/Panel';
import { color } from '../../../ui/theme';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { actionFault } from '../cvmState';
import { SettingRow, SettingRows } from './SettingRow';
import { useSetting } from './useSetting';

const isLost = ({ status }: CvmDetail) => status === 'lost';

export function DeletePanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [asking, setAsking] = useState(false);
  const blocked = cvm.protected ? 'Deletion protection is on. Turn it off first.' : undefined;
  return (
    <Panel title="Delete">
      <SettingRows style={{ borderColor: color.errorSolid }}>
        <SettingRow
          name="Delete this CVM"
          action={
            <ActionButton
              tone="danger"
              variant="outlined"
              reason={may.reason ?? blocked ?? actionFault('delete', cvm)}
              onClick={() => setAsking(true)}
            >
              Delete…
            </ActionButton>
          }
        >
          {isLost(cvm)
            ? 'Its host doesn’t list its VM, so nothing can be kept in the recycle bin: sealed secrets and addresses are destroyed immediately, and its disk can’t be restored even if the VM comes back.'
            : 'Stops the CVM and moves it to the recycle bin, where it can be restored for 24 hours. After that, its disk, sealed secrets and addresses are permanently destroyed.'}
        </SettingRow>
      </SettingRows>
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const navigate = useNavigate();
  const toast = useToast();
  const lost = isLost(cvm);
  const [chosen, setPermanently] = useState(false);
  const permanently = lost || chosen;
  const { save, pending, problem } = useSetting<boolean>({
    send: (options, forGood) =>
      deleteCvm({ ...options, ...(forGood ? { query: { permanently: true } } : {}) }),
    failed: 'Couldn’t delete the CVM',
    leave: (forGood) => {
      const operations = operationKeys('delete', cvm.vm_uuid);
      toast(
        forGood || lost
          ? { tone: 'progress', title: `Destroying ${cvm.name}`, operations }
          : {
              tone: 'progress',
              title: `Deleting ${cvm.name}`,
              operations,
              link: { label: 'Recycle bin', href: recycleBinPath(teamSlug) },
            },
      );
      return navigate({ href: teamPath(teamSlug) });
    },
  });
  const disk = cvm.resource.disk_in_gb;
  const of = disk === null ? '' : ` of ${formatGb(disk)}`;
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${cvm.name}?`}
      typedName={cvm.name}
      confirmLabel={permanently ? 'Destroy now' : 'Delete'}
      effects={
        lost
          ? [
              'The recycle bin is skipped, because the host doesn’t list the VM and there is nothing to keep.',
              `Its disk${of} can’t be restored, even if the VM comes back later.`,
              'Sealed secrets, guest keys and addresses are permanently deleted.',
            ]
          : permanently
            ? [
                `The disk${of} is erased now. There is no other copy.`,
                'Sealed secrets, guest keys and addresses are permanently deleted.',
                'Any operation in progress is canceled.',
              ]
            : [
                'It stops and disappears from all lists, including in the CLI and API.',
                `The recycle bin keeps its disk${of}, secrets and addresses for 24 hours. You pay only for the disk.`,
                'After that, they are permanently destroyed.',
                'Any operation in progress is canceled. The CVM’s name becomes available.',
              ]
      }
      cost={
        <SpendChange
          label={permanently ? 'Cost' : 'Cost in the recycle bin'}
          before={currentMicros(cvm)}
          after={permanently ? 0 : stoppedMicros(cvm)}
          hourly={!permanently}
        />
      }
      pending={pending}
      problem={problem}
      // The server still keeps the disk if the host lists the VM again by then.
      onConfirm={() => save(chosen)}
      onClose={onClose}
    >
      {!lost && (
        <SwitchInput
          label="Destroy immediately, skipping the recycle bin"
          checked={permanently}
          onChange={(event) => setPermanently(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
