import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteVaultLockMutation,
  deleteVaultMutation,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { Vault, VaultLock } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { askVault, closeVault } from '../../api/vault';
import { vaultOptions } from '../../api/vaultCopies';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { Loaded } from './Loaded';

const Text = styled('p')({ ...type.body, color: color.muted });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

const columns: Column<VaultLock>[] = [
  { id: 'name', header: 'Opens with', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    id: 'created',
    header: 'Added',
    width: 140,
    phone: 'meta',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

type Opened = { kind: 'lock'; lock: VaultLock } | { kind: 'vault' } | null;

/** Second copies of secrets: whether they are kept, and what opens them. */
export function VaultPanel() {
  const query = useQuery(vaultOptions());
  return (
    <Loaded query={query} what="Your vault" rows={2}>
      {({ vault }) => (vault ? <Existing vault={vault} /> : <None />)}
    </Loaded>
  );
}

function None() {
  return (
    <Panel
      title="Vault"
      framed
      actions={
        <Button size="small" onClick={() => void askVault('set_up')}>
          Set up the vault
        </Button>
      }
    >
      <Text>
        Secrets you send to a CVM can be read by nobody afterwards, you included. A vault keeps a second copy
        that only you can open, so that you change one secret without typing the others again.
      </Text>
    </Panel>
  );
}

function Existing({ vault }: { vault: Vault }) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <Panel
      title="Vault"
      subtitle="Second copies of the secrets you type, sealed so that only you can read them."
      actions={
        <Row>
          <Button size="small" onClick={() => void askVault('add_way')}>
            Add a way to open it
          </Button>
          <Button size="small" color="error" onClick={() => setOpened({ kind: 'vault' })}>
            Delete
          </Button>
        </Row>
      }
    >
      <DataTable
        id="vault-locks"
        label={vault.locks.length === 1 ? 'way to open it' : 'ways to open it'}
        columns={columns}
        rows={vault.locks}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        empty={<EmptyState>Nothing opens it.</EmptyState>}
        rowActions={(lock) => [
          {
            id: 'remove',
            label: 'Remove',
            danger: true,
            onSelect: () => setOpened({ kind: 'lock', lock }),
          },
        ]}
      />
      {opened?.kind === 'lock' && <RemoveLock lock={opened.lock} onClose={close} />}
      {opened?.kind === 'vault' && <DeleteVault onClose={close} />}
    </Panel>
  );
}

function RemoveLock({ lock, onClose }: { lock: VaultLock; onClose: () => void }) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteVaultLockMutation(),
    onSuccess: async () => {
      await stale('getVault');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${lock.name}?`}
      effects={['It does not open your vault any more.', 'The copies stay; the other ways open them.']}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'It was not removed')}
      onConfirm={() => remove.mutate({ path: { lock_id: lock.id } })}
      onClose={onClose}
    />
  );
}

function DeleteVault({ onClose }: { onClose: () => void }) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteVaultMutation(),
    onSuccess: async () => {
      closeVault();
      await stale('getVault', 'listSecretCopies');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title="Delete your vault?"
      effects={[
        'All second copies of your secrets are deleted, in every team.',
        'CVMs are not touched: they run on with the secrets they have.',
        'The next change of secrets needs all of them typed anew.',
      ]}
      confirmLabel="Delete vault"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'It was not deleted')}
      onConfirm={() => remove.mutate({})}
      onClose={onClose}
    />
  );
}
