import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Vault } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { copyVaultKeys, type VaultQuestion } from '../../api/vault';
import { vaultOptions } from '../../api/vaultCopies';
import type { VaultKeys } from '../../lib/secrets/vault';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { Bar, Delayed } from '../../ui/feedback/Skeletons';
import { DialogActions } from '../../ui/forms/DialogActions';
import { FormDialog } from '../../ui/forms/FormDialog';
import { AddUnlockMethod } from './AddUnlockMethod';
import { OpenVault } from './OpenVault';

/** Called with null if the user canceled. */
export type Done = (keys: VaultKeys | null) => void;

const titles: Record<VaultQuestion, string> = {
  open: 'Unlock your vault',
  set_up: 'Set up your vault',
  add_way: 'Add an unlock method',
};
const intros: Record<VaultQuestion, string> = {
  open: 'Your vault contains copies of the secrets you entered. It stays unlocked for 15 minutes, in this browser only.',
  set_up:
    'Your vault keeps encrypted copies of the secrets you enter, so you can change one without entering the others again. The server can’t read them.',
  add_way: 'Each unlock method opens the vault on its own. A second one protects you if you lose the first.',
};

/** Unlocks the vault, sets it up, or adds an unlock method. */
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
      <Notice tone="attention" title="This page isn’t served over HTTPS.">
        Browsers allow encryption only over HTTPS or on localhost. Open the console at its HTTPS address.
      </Notice>
      <DialogActions onCancel={() => onDone(null)} cancelLabel="Close" />
    </>
  );
}

function Loaded({ question, onDone }: { question: VaultQuestion; onDone: Done }) {
  const { data, error, refetch } = useQuery(vaultOptions());
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load your vault');
  if (problem)
    return (
      <>
        <ErrorNotice problem={problem} />
        <DialogActions onCancel={() => onDone(null)} />
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
    <AddUnlockMethod keys={null} onDone={onDone} />
  );
}

/** A vault set up in another tab in the meantime is unlocked, not set up again. */
function Existing({ vault, question, onDone }: { vault: Vault; question: VaultQuestion; onDone: Done }) {
  const [keys, setKeys] = useState<VaultKeys | null>(() =>
    question === 'add_way' ? copyVaultKeys(vault.public_key) : null,
  );
  if (question === 'add_way' && keys) return <AddUnlockMethod keys={keys} onDone={onDone} />;
  return (
    <OpenVault
      vault={vault}
      onDone={question === 'add_way' ? (opened) => (opened ? setKeys(opened) : onDone(null)) : onDone}
    />
  );
}
