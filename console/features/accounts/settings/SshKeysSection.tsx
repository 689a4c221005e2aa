import { Button } from '../../../ui/controls/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createSshKeyMutation,
  deleteSshKeyMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { SshKey } from '../../../../generated/api/types.gen';
import { loadProblem, problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { CopyId } from '../../../ui/data/CopyId';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { sshKeysOptions } from './queries';
import { GithubKeysDialog } from './GithubKeysDialog';
import { commentOf, sourceOf, sshKeyFault } from './sshKey';

const columns: Column<SshKey>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span title={name}>{name}</span> },
  { id: 'type', header: 'Type', width: 150, phone: 'end', cell: ({ key_type }) => key_type },
  { id: 'source', header: 'Source', width: 150, priority: 2, phone: 'meta', cell: sourceOf },
  {
    id: 'fingerprint',
    header: 'Fingerprint',
    width: 230,
    priority: 2,
    phone: 'meta',
    cell: ({ fingerprint }) => <CopyId id={fingerprint} what="fingerprint" most={24} />,
  },
  {
    id: 'created',
    header: 'Added',
    width: 112,
    phone: 'meta',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

export function SshKeysSection() {
  const { data, error, refetch } = useQuery(sshKeysOptions());
  const [opened, setOpened] = useState<SshKey | 'add' | 'import' | null>(null);
  const close = () => setOpened(null);
  const actions = (
    <>
      <Button size="small" onClick={() => setOpened('import')}>
        Import from GitHub
      </Button>
      <Button size="small" onClick={() => setOpened('add')}>
        Add SSH key
      </Button>
    </>
  );
  return (
    <Panel
      title="SSH keys"
      untitled
      actions={actions}
      subtitle="Public keys only. CVMs you deploy receive them, but dstack guests ignore them. To connect over SSH, use a development image and put your key in the secret DSTACK_AUTHORIZED_KEYS."
    >
      <DataTable
        id="ssh-keys"
        noun={['key', 'keys']}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={(key) => [
          { id: 'remove', label: 'Remove', danger: true, onSelect: () => setOpened(key) },
        ]}
        skeletonRows={2}
        problem={loadProblem({ data, error, refetch }, 'Couldn’t load your SSH keys')}
        empty={
          <EmptyState picture="tokens">
            No SSH keys yet. Add a public key, for example ~/.ssh/id_ed25519.pub, or import yours from GitHub.
          </EmptyState>
        }
      />
      {opened === 'add' && <AddKey onClose={close} />}
      {opened === 'import' && <GithubKeysDialog onClose={close} />}
      {opened !== null && typeof opened !== 'string' && <RemoveKey sshKey={opened} onClose={close} />}
    </Panel>
  );
}

function AddKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('');
  const [name, setName] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const add = useMutation({
    ...createSshKeyMutation(),
    onSuccess: async () => {
      await stale('listSshKeys');
      onClose();
    },
  });
  const problem = problemOf(add.error, 'Couldn’t add the key');
  // The comment at the end of the key usually names its owner.
  const called = (name ?? commentOf(key)).trim();
  const fault = sshKeyFault(key);
  const submit = () => {
    setTried(true);
    if (fault === null && called !== '') add.mutate({ body: { name: called, public_key: key.trim() } });
  };
  return (
    <FormDialog open wide onClose={onClose} title="Add SSH key">
      <FormShell
        aria-label="Add SSH key"
        error={problem}
        fields={['public_key', 'name']}
        pending={add.isPending}
        onSubmit={submit}
        submitLabel="Add key"
        onCancel={onClose}
      >
        <TextArea
          label="Public key"
          mono
          rows={4}
          autoFocus
          spellCheck={false}
          maxLength={16_384}
          help="One line in OpenSSH format: ssh-ed25519 AAAA… you@laptop"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          error={tried ? (fault ?? fieldProblem(problem, 'public_key')) : undefined}
        />
        <TextInput
          label="Name"
          value={name ?? commentOf(key)}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          error={tried ? (called === '' ? 'Enter a name.' : fieldProblem(problem, 'name')) : undefined}
        />
      </FormShell>
    </FormDialog>
  );
}

function RemoveKey({ sshKey, onClose }: { sshKey: SshKey; onClose: () => void }) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteSshKeyMutation(),
    onSuccess: async () => {
      await stale('listSshKeys');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${sshKey.name}?`}
      effects={['New CVMs won’t accept this key.', 'Existing CVMs keep it.']}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t remove the key')}
      onConfirm={() => remove.mutate({ path: { key_id: sshKey.id } })}
      onClose={onClose}
    />
  );
}
