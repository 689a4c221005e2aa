import { useState } from 'react';
import { useMay } from '../../../api/session';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { CvmActionDialog, type PowerAction } from '../CvmActionDialog';
import { actionFault } from '../cvmState';
import { SettingRow, SettingRows } from './SettingRow';

const POWER: readonly { action: PowerAction; label: string; text: string }[] = [
  {
    action: 'start',
    label: 'Start',
    text: 'Boots the VM on its host; the containers come up with the secrets they had.',
  },
  {
    action: 'stop',
    label: 'Stop',
    text: 'Ends the containers and the VM. Disk, secrets and addresses stay; only the disk is metered.',
  },
  {
    action: 'restart',
    label: 'Restart',
    text: 'Stops and boots it again, with the containers asked to end first or cut off at once.',
  },
];

export function PowerPanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.operate', teamSlug);
  const [asking, setAsking] = useState<PowerAction | null>(null);
  return (
    <Panel title="Power">
      <SettingRows>
        {POWER.map(({ action, label, text }) => (
          <SettingRow
            key={action}
            name={label}
            action={
              <ActionButton reason={may.reason ?? actionFault(action, cvm)} onClick={() => setAsking(action)}>
                {label}…
              </ActionButton>
            }
          >
            {text}
          </SettingRow>
        ))}
      </SettingRows>
      {asking !== null && (
        <CvmActionDialog action={asking} cvm={cvm} teamSlug={teamSlug} onClose={() => setAsking(null)} />
      )}
    </Panel>
  );
}
