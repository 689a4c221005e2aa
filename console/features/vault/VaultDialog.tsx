import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Vault } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { openedVault, type VaultQuestion } from '../../api/vault';
import { vaultOptions } from '../../api/vaultCopies';
import type { VaultKeys } from '../../lib/vault';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { Bar, Delayed } from '../../ui/feedback/Skeletons';
import { FormDialog } from '../../ui/forms/FormDialog';
import { AddWay } from './AddWay';
import { OpenVault } from './OpenVault';

/** Null: the person would rather not. */
export type Done = (keys: VaultKeys | null) => void;

const titles: Record<VaultQuestion, string> = {
  open: 'Open your vault',
  set_up: 'Set up your vault',
  add_way: 'Another way to open your vault',
};
const intros: Record<VaultQuestion, string> = {
  open: 'It holds second copies of secrets you typed. It stays open for 15 minutes, in this browser only.',
  set_up:
    'It keeps a second copy of secrets you type, so that one can be changed without typing the others again. Only you can open it: this server stores nothing it could read.',
  add_way:
    'Whoever has one of the ways opens the vault. A second one is what saves it when you lose the first.',
};

/** One dialog for opening the vault, setting it up, and giving it another way to be opened. */
export function VaultDialog({ question, onDone }: { question: VaultQuestion; onDone: Done }) {
  return (
    <FormDialog open wide onClose={() => onDone(null)} title={titles[question]} intro={intros[question]}>
      {window.isSecureContext ? <Loaded question={question} onDone={onDone} /> : <Insecure onDone={onDone} />}
    </FormDialog>
  );
}

function Insecure({ onDone }: { onDone: Done }) {
  return (
    <>
      <Notice tone="attention" title="This page is not served over https.">
        Browsers encrypt only on https and on this machine itself. Open the console by its https address.
      </Notice>
      <Button onClick={() => onDone(null)}>Close</Button>
    </>
  );
}

function Loaded({ question, onDone }: { question: VaultQuestion; onDone: Done }) {
  const { data, error, refetch } = useQuery(vaultOptions());
  const problem = problemOf(error, 'Your vault could not be read', () => void refetch());
  if (problem)
    return (
      <>
        <ErrorNotice problem={problem} />
        <Button onClick={() => onDone(null)}>Cancel</Button>
      </>
    );
  if (!data)
    return (
      <Delayed role="status" aria-label="Loading">
        <Bar h={120} />
      </Delayed>
    );
  return data.vault ? (
    <Existing vault={data.vault} question={question} onDone={onDone} />
  ) : (
    <AddWay keys={null} onDone={onDone} />
  );
}

/** A vault set up in another tab meanwhile is opened, not set up again. */
function Existing({ vault, question, onDone }: { vault: Vault; question: VaultQuestion; onDone: Done }) {
  const [keys, setKeys] = useState<VaultKeys | null>(question === 'add_way' ? openedVault() : null);
  if (question === 'add_way' && keys) return <AddWay keys={keys} onDone={onDone} />;
  return (
    <OpenVault
      vault={vault}
      onDone={question === 'add_way' ? (opened) => (opened ? setKeys(opened) : onDone(null)) : onDone}
    />
  );
}
