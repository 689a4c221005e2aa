import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createVaultLockMutation,
  createVaultMutation,
  getSecondFactorsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { useStale } from '../../api/useStale';
import { rememberVaultKey } from '../../api/vaultCopies';
import { PASSWORD_MAX } from '../../lib/accounts/credentials';
import { newVaultKeys, PASSPHRASE_MIN, type VaultKeys } from '../../lib/secrets/vault';
import { Notice } from '../../ui/feedback/Notice';
import { FormShell } from '../../ui/forms/FormShell';
import { PasswordInput } from '../../ui/forms/PasswordInput';
import { RadioCards } from '../../ui/forms/RadioCards';
import type { Done } from './VaultDialog';
import { passkeyLock, passphraseLock } from './locks';

type Kind = 'passkey' | 'passphrase';

/** Adds a passphrase or passkey that unlocks the vault; without `keys`, creates the vault with it. */
export function AddUnlockMethod({ keys, onDone }: { keys: VaultKeys | null; onDone: Done }) {
  const { user } = useSession();
  const factors = useQuery(getSecondFactorsOptions());
  const hasPasskeys = 'PublicKeyCredential' in window && (factors.data?.passkeys.length ?? 0) > 0;
  const [kind, setKind] = useState<Kind>('passphrase');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const create = useMutation(createVaultMutation());
  const add = useMutation(createVaultLockMutation());
  const save = useMutation({
    mutationFn: async (): Promise<VaultKeys> => {
      const own = keys ?? newVaultKeys();
      const lock =
        kind === 'passkey' ? await passkeyLock(own, 'Passkey') : await passphraseLock(own, passphrase);
      if (keys) await add.mutateAsync({ body: lock });
      else await create.mutateAsync({ body: { public_key: own.public_key, lock } });
      return own;
    },
    gcTime: 0,
    onSuccess: async (own) => {
      if (user) rememberVaultKey(user.id, own.public_key);
      await stale('getVault');
      onDone(own);
    },
  });
  const problem = problemOf(
    save.error,
    keys ? 'Couldn’t add the unlock method' : 'Couldn’t set up the vault',
  );
  const fault = passphraseFault(passphrase);
  const differs = again !== passphrase ? 'The passphrases don’t match.' : undefined;
  return (
    <FormShell
      aria-label={keys ? 'Add unlock method' : 'Set up vault'}
      error={problem}
      pending={save.isPending}
      onSubmit={() => {
        setTried(true);
        if (kind === 'passkey' || (fault === undefined && differs === undefined)) save.mutate();
      }}
      submitLabel={keys ? 'Add' : 'Set up'}
      pendingLabel={kind === 'passkey' ? 'Waiting for your passkey…' : 'Deriving the key…'}
      onCancel={() => onDone(null)}
    >
      {hasPasskeys && (
        <RadioCards
          label="Unlock with"
          name="kind"
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          cards={[
            {
              value: 'passphrase',
              name: 'Passphrase',
              specs: 'Works in every browser. You must remember it.',
            },
            {
              value: 'passkey',
              name: 'Passkey',
              specs: 'Nothing to type. Requires a passkey with the PRF extension.',
            },
          ]}
        />
      )}
      {kind === 'passphrase' && (
        <>
          <input
            hidden
            readOnly
            type="text"
            name="username"
            autoComplete="username"
            value={`${user?.email ?? ''} (vault)`}
          />
          <PasswordInput
            label="Passphrase"
            help={`At least ${PASSPHRASE_MIN} characters. Don’t reuse your account password.`}
            name="new-passphrase"
            autoComplete="new-password"
            maxLength={PASSWORD_MAX}
            autoFocus
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
            error={tried ? fault : undefined}
          />
          <PasswordInput
            label="Confirm passphrase"
            name="new-passphrase-again"
            autoComplete="new-password"
            maxLength={PASSWORD_MAX}
            value={again}
            onChange={(event) => setAgain(event.target.value)}
            error={tried ? differs : undefined}
          />
        </>
      )}
      {!keys && (
        <Notice tone="attention" title="Only you can unlock it.">
          If you lose every unlock method, the saved copies are lost. Your CVMs keep their secrets, but you’ll
          have to enter them all again the next time you change one.
        </Notice>
      )}
    </FormShell>
  );
}

function passphraseFault(passphrase: string): string | undefined {
  const missing = PASSPHRASE_MIN - passphrase.length;
  if (missing <= 0) return undefined;
  return passphrase === ''
    ? `Enter at least ${PASSPHRASE_MIN} characters.`
    : `${missing} more ${missing === 1 ? 'character' : 'characters'} needed.`;
}
