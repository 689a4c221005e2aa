import { useState } from 'react';
import { renameCvm } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { useVersionedForm } from '../../../api/versions';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { RenameDialog } from '../../../ui/forms/RenameDialog';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { SettingRow, SettingRows } from './SettingRow';
import { useReload, useSetting } from './useSetting';

const MAX_NAME = 63;

export function NamePanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [open, setOpen] = useState(false);
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
          Shown in the console, API and CLI. The VM keeps its hostname, <code>{cvm.hostname}</code>, but
          dstack guests don’t use it. Addresses, keys and the compose hash don’t change.
        </SettingRow>
      </SettingRows>
      {open && <Rename onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function Rename({ onClose }: { onClose: () => void }) {
  const cvm = useCvm();
  const refresh = useReload();
  const form = useVersionedForm({ values: { name: cvm.name }, etag: cvm.etag }, { refresh });
  const { save, pending, problem } = useSetting<string>({
    guard: form.send,
    send: (options, name) => renameCvm({ ...options, body: { name } }),
    failed: 'Couldn’t rename the CVM',
    onDone: onClose,
  });
  return (
    <RenameDialog
      title={`Rename ${form.base.values.name}`}
      name={form.base.values.name}
      typed={form.values.name}
      onType={(name) => form.edit({ name })}
      conflict={form.conflict && <FormConflict form={form} labels={{ name: 'Name' }} />}
      maxLength={MAX_NAME}
      pending={pending}
      problem={problem}
      onSave={save}
      onClose={onClose}
    />
  );
}
