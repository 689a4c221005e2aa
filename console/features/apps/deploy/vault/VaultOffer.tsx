import { useMutation, useQuery } from '@tanstack/react-query';
import type { Vault } from '../../../../../generated/api/types.gen';
import { useSession } from '../../../../api/session';
import { askVault, closeVault } from '../../../../api/vault';
import { hasVaultKeyChanged, vaultOptions } from '../../../../api/vaultCopies';
import { PendingButton } from '../../../../ui/controls/PendingButton';
import { Notice } from '../../../../ui/feedback/Notice';
import { Bar } from '../../../../ui/feedback/Skeletons';
import { SwitchInput } from '../../../../ui/forms/SwitchInput';
import { SetUpVault } from './SetUpVault';

interface Props {
  save: boolean;
  onSave: (save: boolean) => void;
}

/** Offers to save a copy of the entered secrets to the user's vault, or to set up a vault. */
export function VaultOffer(props: Props) {
  const { data, isPending } = useQuery(vaultOptions());
  // The vault is optional, so a failed load doesn't block the deployment.
  if (!data) return isPending ? <Bar h={44} /> : null;
  return data.vault ? (
    <SaveCopy vault={data.vault} {...props} />
  ) : (
    <SetUpVault>
      These values can’t be read back after you deploy. A vault keeps a copy that only you can open, so you
      can change one secret later without retyping the rest.
    </SetUpVault>
  );
}

/** A copy is sealed with the vault's public key, so the vault can stay locked. */
function SaveCopy({ vault, save, onSave }: Props & { vault: Vault }) {
  const { user } = useSession();
  const unlock = useMutation({
    mutationFn: async () => {
      // Locks first: keys unlocked earlier don't prove whose the new public key is.
      closeVault();
      return (await askVault('open')) !== null;
    },
  });
  if (user && hasVaultKeyChanged(user.id, vault.public_key))
    return (
      <Notice
        tone="attention"
        title="Your vault’s key has changed."
        action={
          <PendingButton
            size="small"
            style={{ flex: 'none' }}
            pending={unlock.isPending}
            onClick={() => unlock.mutate()}
          >
            Unlock vault
          </PendingButton>
        }
      >
        No copy of these secrets is saved until you unlock the vault, which proves that the new key is yours.
      </Notice>
    );
  return (
    <SwitchInput
      label="Save a copy to your vault"
      help="Encrypted in this browser; only you can unlock it. You can then change one secret later without retyping the rest."
      checked={save}
      onChange={(event) => onSave(event.target.checked)}
    />
  );
}
