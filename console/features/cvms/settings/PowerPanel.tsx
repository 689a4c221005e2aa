import { useState } from 'react';
import { useMay } from '../../../api/session';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { useCvm, useCvmAddress } from '../address';
import type { PowerAction } from '../../../lib/cvms/powerTexts';
import { CvmActionDialog } from '../../../shared/CvmActionDialog';
import { actionFault } from '../cvmState';
import { SettingRow, SettingRows } from './SettingRow';

const POWER: readonly { action: PowerAction; label: string; text: string }[] = [
  {
    action: 'start',
    label: 'Start',
    text: 'Boots the VM on its host. Containers start with their saved secrets.',
  },
  {
    action: 'stop',
    label: 'Stop',
    text: 'Shuts containers down and turns the VM off, or turns it off by force. Disk, secrets and addresses are kept, and you pay only for the disk.',
  },
  {
    action: 'restart',
    label: 'Restart',
    text: 'Stops and reboots the VM, with a clean container shutdown or by force.',
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
