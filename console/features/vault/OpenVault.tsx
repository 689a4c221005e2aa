import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Vault, VaultLock } from '../../../generated/api/types.gen';
import { rememberVaultKey } from '../../api/vaultCopies';
import { useSession } from '../../api/session';
import { problemOf } from '../../api/problem';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { FormShell } from '../../ui/forms/FormShell';
import { PasswordInput } from '../../ui/forms/PasswordInput';
import { WaysList } from '../../ui/forms/WaysList';
import { space } from '../../ui/theme';
import { VaultError } from '../../lib/vault';
import { openWithPasskey, openWithPassphrase } from './ways';
import type { Done } from './VaultDialog';

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

/** Passkeys first: they are quicker, and nothing can be mistyped. */
export function OpenVault({ vault, onDone }: { vault: Vault; onDone: Done }) {
  const passkeys = vault.locks.filter((lock) => lock.kind === 'passkey');
  const passphrases = vault.locks.filter((lock) => lock.kind === 'passphrase');
  const [chosen, setChosen] = useState<'passkey' | 'passphrase'>(
    passkeys.length > 0 && 'PublicKeyCredential' in window ? 'passkey' : 'passphrase',
  );
  const { user } = useSession();
  const opened: Done = (keys) => {
    if (keys && user) rememberVaultKey(user.id, keys.public_key);
    onDone(keys);
  };
  return (
    <>
      {chosen === 'passkey' ? (
        <WithPasskey vault={vault} locks={passkeys} onDone={opened} />
      ) : (
        <WithPassphrase vault={vault} locks={passphrases} onDone={opened} />
      )}
      {passkeys.length > 0 && passphrases.length > 0 && (
        <WaysList
          ways={
            chosen === 'passkey'
              ? [{ id: 'passphrase' as const, label: 'Use your passphrase' }]
              : [{ id: 'passkey' as const, label: 'Use a passkey' }]
          }
          onChoose={setChosen}
        />
      )}
    </>
  );
}

interface WayProps {
  vault: Vault;
  locks: readonly VaultLock[];
  onDone: Done;
}

function WithPasskey({ vault, locks, onDone }: WayProps) {
  const open = useMutation({
    mutationFn: () => openWithPasskey(vault.public_key, locks),
    gcTime: 0,
    onSuccess: onDone,
  });
  const problem = problemOf(open.error, 'The vault is still closed');
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <Row>
        <Button
          variant="contained"
          color="primary"
          autoFocus
          disabled={open.isPending}
          startIcon={open.isPending ? <Spinner /> : <FingerprintRounded />}
          onClick={() => open.mutate()}
        >
          {open.isPending ? 'Waiting for the passkey…' : 'Use a passkey'}
        </Button>
        <Button onClick={() => onDone(null)}>Cancel</Button>
      </Row>
    </>
  );
}

function WithPassphrase({ vault, locks, onDone }: WayProps) {
  const { user } = useSession();
  const [passphrase, setPassphrase] = useState('');
  const [tried, setTried] = useState(false);
  const open = useMutation({
    mutationFn: () => openWithPassphrase(vault.public_key, locks, passphrase),
    gcTime: 0,
    onSuccess: onDone,
  });
  const wrong = open.error instanceof VaultError && open.error.code === 'wrong_key';
  return (
    <FormShell
      aria-label="Open with your passphrase"
      error={wrong ? null : problemOf(open.error, 'The vault is still closed')}
      pending={open.isPending}
      onSubmit={() => {
        setTried(true);
        if (passphrase !== '') open.mutate();
      }}
      submitLabel="Open"
      pendingLabel="Opening…"
      onCancel={() => onDone(null)}
    >
      <input
        hidden
        readOnly
        type="text"
        name="username"
        autoComplete="username"
        value={`${user?.email ?? ''} (vault)`}
      />
      <PasswordInput
        label="Passphrase of your vault"
        name="vault-passphrase"
        autoComplete="current-password"
        maxLength={200}
        autoFocus
        value={passphrase}
        onChange={(event) => {
          setPassphrase(event.target.value);
          if (open.isError) open.reset();
        }}
        error={
          wrong
            ? 'This passphrase does not open your vault.'
            : tried && passphrase === ''
              ? 'Enter the passphrase.'
              : undefined
        }
      />
    </FormShell>
  );
}
