import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteVaultLockMutation,
  deleteVaultMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { Problem, Vault, VaultLock, VaultState } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { askVault, closeVault } from '../../../api/vault';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { Loaded } from './Loaded';
import { lockActions } from './vaultLocks';

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

const columns: Column<VaultLock>[] = [
  { id: 'name', header: 'Unlocked by', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    id: 'created',
    header: 'Added',
    width: 140,
    phone: 'meta',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

type Opened = { kind: 'lock'; lock: VaultLock } | { kind: 'vault' } | null;

/** The vault for secret backups: whether it exists, and the methods that unlock it. */
export function VaultPanel({ query }: { query: UseQueryResult<VaultState, Problem> }) {
  return (
    <Loaded query={query} what="your vault">
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
          Set up vault
        </Button>
      }
    >
      <EmptyState picture="vault">
        This console can’t show a secret again once it’s sealed into a CVM. A vault keeps an encrypted copy
        that only you can unlock, so you can change one secret without entering the others again.
      </EmptyState>
    </Panel>
  );
}

function Existing({ vault }: { vault: Vault }) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <Panel
      title="Vault"
      subtitle="Encrypted copies of the secrets you enter. Only you can unlock them."
      actions={
        <Row>
          <Button size="small" onClick={() => void askVault('add_way')}>
            Add unlock method
          </Button>
          <Button size="small" tone="danger" onClick={() => setOpened({ kind: 'vault' })}>
            Delete
          </Button>
        </Row>
      }
    >
      <DataTable
        id="vault-locks"
        noun={['unlock method', 'unlock methods']}
        columns={columns}
        rows={vault.locks}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        empty={<EmptyState>No unlock methods.</EmptyState>}
        rowActions={(lock) => lockActions(vault.locks, () => setOpened({ kind: 'lock', lock }))}
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
      effects={['It no longer unlocks your vault.', 'Your other unlock methods keep working.']}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t remove the unlock method')}
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
        'All saved copies of your secrets are deleted, in every team.',
        'CVMs aren’t affected: they keep their secrets.',
        'The next time you change secrets, you have to enter all of them again.',
      ]}
      confirmLabel="Delete vault"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t delete the vault')}
      onConfirm={() => remove.mutate({})}
      onClose={onClose}
    />
  );
}
