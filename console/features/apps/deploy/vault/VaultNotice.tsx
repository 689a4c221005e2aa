import { PendingButton } from '../../../../ui/controls/PendingButton';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CvmDetail, SecretCopy } from '../../../../../generated/api/types.gen';
import { problemOf } from '../../../../api/problem';
import { askVault } from '../../../../api/vault';
import { openCopyOf, readCopies, vaultOptions } from '../../../../api/vaultCopies';
import type { EnvPair } from '../../../../lib/compose/envRules';
import { RelativeTime } from '../../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../../ui/feedback/Notice';
import { SetUpVault } from './SetUpVault';

interface Props {
  teamSlug: string;
  cvm: CvmDetail;
  /** Whether saved values are already in the table. */
  filled: boolean;
  onValues: (env: readonly EnvPair[]) => void;
}

/** Offers the user's own vault copy, so that one secret can be edited without retyping the others. */
export function VaultNotice({ teamSlug, cvm, filled, onValues }: Props) {
  const vault = useQuery(vaultOptions());
  const has = vault.data?.vault !== null && vault.data !== undefined;
  const { app_id } = cvm;
  const copies = useQuery({
    // A finished or rolled back update changes which copy the CVM uses.
    queryKey: ['secret-copies', teamSlug, app_id, cvm.operation?.correlation_id, cvm.in_progress],
    queryFn: () => readCopies(teamSlug, app_id ?? ''),
    enabled: has && app_id !== null,
    placeholderData: (before, query) => (query?.queryKey[2] === app_id ? before : undefined),
    staleTime: 0,
    gcTime: 0,
  });
  const copy = best(copies.data, cvm);
  const open = useMutation({
    mutationFn: async () => {
      if (!copy || app_id === null) return null;
      const keys = await askVault('open');
      return keys && openCopyOf(app_id, copy, keys);
    },
    gcTime: 0,
    onSuccess: (env) => {
      if (env) onValues(env);
    },
  });
  const problem = problemOf(vault.error ?? copies.error ?? open.error, 'Couldn’t open your saved values');
  if (problem) return <ErrorNotice problem={problem} />;
  if (vault.data && !has)
    return (
      <SetUpVault>
        A vault keeps a copy of your secrets that only you can open, so you can change one value without
        retyping the rest.
      </SetUpVault>
    );
  if (!copies.data) return null;
  if (!copy)
    return (
      <Notice tone="neutral">
        These values aren’t in your vault yet. They are saved the next time you send all of them.
      </Notice>
    );
  if (filled)
    return (
      <Notice tone="ok" title="Saved values loaded.">
        The values below are {isCurrent(copy, cvm) ? 'the ones the CVM uses' : 'from your saved copy'}. Edit
        only the ones you want to change.
      </Notice>
    );
  return (
    <Notice
      tone={isCurrent(copy, cvm) ? 'neutral' : 'attention'}
      action={
        <PendingButton
          size="small"
          style={{ flex: 'none' }}
          pending={open.isPending}
          onClick={() => open.mutate()}
        >
          Use saved values
        </PendingButton>
      }
    >
      {isCurrent(copy, cvm) ? (
        'Your vault has these values.'
      ) : (
        <>
          The CVM uses different values than your copy, saved <RelativeTime at={copy.updated_at} inWords />.
          Sending the copy replaces them.
        </>
      )}
    </Notice>
  );
}

const isCurrent = (copy: SecretCopy, cvm: CvmDetail) =>
  cvm.vm_uuid !== null && copy.cvms.includes(cvm.vm_uuid);

/** Returns the copy this CVM uses, or else the newest. */
function best(copies: readonly SecretCopy[] | undefined, cvm: CvmDetail): SecretCopy | undefined {
  return copies?.find((copy) => isCurrent(copy, cvm)) ?? copies?.[0];
}
