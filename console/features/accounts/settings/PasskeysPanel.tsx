import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import {
  deletePasskeyMutation,
  updatePasskeyMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { Passkey } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { RenameDialog } from '../../../ui/forms/RenameDialog';
import { useUnconfirmed, type FactorChanged } from './factors';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

const AddPasskeyDialog = lazyWithRetry(() =>
  import('./AddPasskeyDialog').then((m) => ({ default: m.AddPasskeyDialog })),
);

const columns: Column<Passkey>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    id: 'synced',
    header: 'Storage',
    width: 150,
    phone: 'end',
    cell: ({ synced }) => (synced ? 'synced' : 'single device'),
  },
  {
    id: 'created',
    header: 'Added',
    width: 120,
    priority: 2,
    phone: 'hide',
    cell: (key) => <RelativeTime at={key.created_at} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 120,
    phone: 'meta',
    cell: ({ last_used_at }) => (last_used_at ? <RelativeTime at={last_used_at} /> : 'never used'),
  },
];

type Opened = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey } | null;

/** Passkeys sign in without a password and serve as a second factor with one. */
export function PasskeysPanel({
  passkeys,
  onChanged,
}: {
  passkeys: readonly Passkey[];
  onChanged: FactorChanged;
}) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const reason = useUnconfirmed();
  const add = (
    <ActionButton size="small" reason={reason} onClick={() => setOpened({ kind: 'add' })}>
      Add passkey
    </ActionButton>
  );
  return (
    <Panel
      title="Passkeys"
      subtitle="Sign in with your fingerprint, face or security key instead of a password and code. Resistant to phishing."
      actions={add}
    >
      <DataTable
        id="passkeys"
        noun={['passkey', 'passkeys']}
        columns={columns}
        rows={passkeys}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={(passkey) => [
          { id: 'rename', label: 'Rename', onSelect: () => setOpened({ kind: 'rename', passkey }) },
          {
            id: 'remove',
            label: 'Remove',
            danger: true,
            onSelect: () => setOpened({ kind: 'remove', passkey }),
          },
        ]}
        empty={
          <EmptyState picture="tokens">
            No passkeys yet. Add one for faster, phishing-resistant sign-in.
          </EmptyState>
        }
      />
      {opened?.kind === 'add' && (
        <Suspense fallback={null}>
          <AddPasskeyDialog
            taken={passkeys.map(({ name }) => name)}
            onClose={close}
            onAdded={async (codes) => {
              close();
              await onChanged(codes);
            }}
          />
        </Suspense>
      )}
      {opened?.kind === 'rename' && <Rename {...opened} onClose={close} onChanged={onChanged} />}
      {opened?.kind === 'remove' && <Remove {...opened} onClose={close} onChanged={onChanged} />}
    </Panel>
  );
}

interface OneProps {
  passkey: Passkey;
  onClose: () => void;
  onChanged: FactorChanged;
}

function Rename({ passkey, onClose, onChanged }: OneProps) {
  const [typed, setTyped] = useState(passkey.name);
  const rename = useMutation({
    ...updatePasskeyMutation(),
    onSuccess: async () => {
      await onChanged();
      onClose();
    },
  });
  return (
    <RenameDialog
      title="Rename passkey"
      name={passkey.name}
      typed={typed}
      onType={setTyped}
      pending={rename.isPending}
      problem={problemOf(rename.error, 'Couldn’t rename the passkey')}
      onSave={(name) => rename.mutate({ path: { passkey_id: passkey.id }, body: { name } })}
      onClose={onClose}
    />
  );
}

function Remove({ passkey, onClose, onChanged }: OneProps) {
  const remove = useMutation({
    ...deletePasskeyMutation(),
    onSuccess: async () => {
      await onChanged();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${passkey.name}?`}
      effects={[
        'You can no longer sign in with it.',
        'Delete it from the device too, or the device will keep offering it.',
      ]}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t remove the passkey')}
      onConfirm={() => remove.mutate({ path: { passkey_id: passkey.id } })}
      onClose={onClose}
    />
  );
}
