import FingerprintPatternIcon from 'lucide-react/icons/fingerprint-pattern';
import { PendingButton } from '../../ui/controls/PendingButton';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Vault, VaultLock } from '../../../generated/api/types.gen';
import { rememberVaultKey } from '../../api/vaultCopies';
import { useSession } from '../../api/session';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { DialogActions } from '../../ui/forms/DialogActions';
import { FormShell } from '../../ui/forms/FormShell';
import { PasswordInput } from '../../ui/forms/PasswordInput';
import { WaysList } from '../../ui/forms/WaysList';
import { VaultError } from '../../lib/secrets/vault';
import { openWithPasskey, openWithPassphrase } from './locks';
import type { Done } from './VaultDialog';

/** Unlocks the vault. Passkeys come first: they are faster and can't be mistyped. */
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

interface LockProps {
  vault: Vault;
  locks: readonly VaultLock[];
  onDone: Done;
}

function WithPasskey({ vault, locks, onDone }: LockProps) {
  const open = useMutation({
    mutationFn: () => openWithPasskey(vault.public_key, locks),
    gcTime: 0,
    onSuccess: onDone,
  });
  const problem = problemOf(open.error, 'Couldn’t unlock the vault');
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <DialogActions onCancel={() => onDone(null)}>
        <PendingButton
          variant="contained"
          autoFocus
          pending={open.isPending}
          startIcon={<FingerprintPatternIcon />}
          onClick={() => open.mutate()}
        >
          {open.isPending ? 'Waiting for your passkey…' : 'Use a passkey'}
        </PendingButton>
      </DialogActions>
    </>
  );
}

function WithPassphrase({ vault, locks, onDone }: LockProps) {
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
      aria-label="Unlock with your passphrase"
      error={wrong ? null : problemOf(open.error, 'Couldn’t unlock the vault')}
      pending={open.isPending}
      onSubmit={() => {
        setTried(true);
        if (passphrase !== '') open.mutate();
      }}
      submitLabel="Unlock"
      pendingLabel="Unlocking…"
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
        label="Vault passphrase"
        name="vault-passphrase"
        autoComplete="current-password"
        maxLength={200}
        autoFocus
        value={passphrase}
        onChange={(event) => {
          setPassphrase(event.target.value);
          if (open.isError) open.reset();
        }}
        error={wrong ? 'Wrong passphrase.' : tried && passphrase === '' ? 'Enter the passphrase.' : undefined}
      />
    </FormShell>
  );
}
