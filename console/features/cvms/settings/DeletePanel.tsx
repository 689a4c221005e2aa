import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteCvm } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { recycleBinPath, teamPath } from '../../../lib/paths';
import { formatGb } from '../../../lib/sizes';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { useToast } from '../../../ui/feedback/toasts';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { Panel } from '../../../ui/layout/Panel';
import { color } from '../../../ui/theme';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { actionFault } from '../cvmState';
import { SettingRow, SettingRows } from './SettingRow';
import { useSetting } from './useSetting';

export function DeletePanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [asking, setAsking] = useState(false);
  const shut = cvm.protected ? 'It is protected against deletion. End the protection first.' : undefined;
  return (
    <Panel title="Delete">
      <SettingRows style={{ borderColor: color.errorSolid }}>
        <SettingRow
          name="Delete this CVM"
          action={
            <ActionButton
              color="error"
              variant="outlined"
              reason={may.reason ?? shut ?? actionFault('delete', cvm)}
              onClick={() => setAsking(true)}
            >
              Delete…
            </ActionButton>
          }
        >
          It stops and lies in the recycle bin for 24 hours, where it can be restored as it was. Then its
          disk, its sealed secrets and its addresses are destroyed: the key of the disk exists in this VM
          only, so nobody can bring the data back.
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
  const [permanently, setPermanently] = useState(false);
  const { save, pending, problem } = useSetting<boolean>({
    send: (options, forGood) =>
      deleteCvm({ ...options, ...(forGood ? { query: { permanently: true } } : {}) }),
    failed: 'It was not deleted',
    leave: (forGood) => {
      toast(
        forGood
          ? { tone: 'progress', title: `${cvm.name} is being destroyed` }
          : {
              tone: 'ok',
              title: `${cvm.name} is in the recycle bin`,
              message: 'It can be restored for 24 hours.',
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
        permanently
          ? [
              `The disk${of} is erased now; there is no copy of it anywhere.`,
              'Sealed secrets, keys of the guest and addresses are gone for good.',
              'Whatever it was doing is broken off. Metering ends.',
            ]
          : [
              'It is gone from all lists at once, for the command line and the API too, and stops.',
              `For 24 hours the recycle bin keeps its disk${of}, secrets and addresses; only the disk is metered then.`,
              'After that they are destroyed, and nothing brings them back.',
              'Whatever it was doing is broken off. Its name is free for another CVM.',
            ]
      }
      pending={pending}
      problem={problem}
      onConfirm={() => save(permanently)}
      onClose={onClose}
    >
      <SwitchInput
        label="Destroy at once, without the recycle bin"
        checked={permanently}
        onChange={(event) => setPermanently(event.target.checked)}
      />
    </ConfirmDialog>
  );
}
