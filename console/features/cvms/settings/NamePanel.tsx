import { useState } from 'react';
import { renameCvm } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { RenameDialog } from '../../../ui/forms/RenameDialog';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { SettingRow, SettingRows } from './SettingRow';
import { useSetting } from './useSetting';

const LONGEST_NAME = 63;

export function NamePanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [open, setOpen] = useState(false);
  const { save, pending, problem, reset } = useSetting<string>({
    send: (options, name) => renameCvm({ ...options, body: { name } }),
    failed: 'It was not renamed',
    onDone: () => setOpen(false),
  });
  const close = () => {
    reset();
    setOpen(false);
  };
  return (
    <Panel title="Name">
      <SettingRows>
        <SettingRow
          name={cvm.name}
          action={
            <ActionButton reason={may.reason} onClick={() => setOpen(true)}>
              Rename…
            </ActionButton>
          }
        >
          How the team, the API and the command line call it. Inside the VM its host name stays{' '}
          <code>{cvm.hostname}</code>; addresses, keys and the compose hash do not change.
        </SettingRow>
      </SettingRows>
      {open && (
        <RenameDialog
          title={`Rename ${cvm.name}`}
          name={cvm.name}
          maxLength={LONGEST_NAME}
          pending={pending}
          problem={problem}
          onSave={save}
          onClose={close}
        />
      )}
    </Panel>
  );
}
