import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CvmDetail, SecretCopy } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { askVault } from '../../api/vault';
import { openCopyOf, readCopies, vaultOptions } from '../../api/vaultCopies';
import type { EnvPair } from '../../lib/envRules';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';

interface Props {
  teamSlug: string;
  cvm: CvmDetail;
  /** Whether the values of a copy stand in the table already. */
  filled: boolean;
  onValues: (env: readonly EnvPair[]) => void;
}

/** The way to edit one secret without typing the others: the person's own copy of them, if they keep one. */
export function VaultNotice({ teamSlug, cvm, filled, onValues }: Props) {
  const vault = useQuery(vaultOptions());
  const has = vault.data?.vault !== null && vault.data !== undefined;
  const { app_id } = cvm;
  const copies = useQuery({
    queryKey: ['secret-copies', teamSlug, app_id],
    queryFn: () => readCopies(teamSlug, app_id ?? ''),
    enabled: has && app_id !== null,
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
  const problem = problemOf(vault.error ?? copies.error ?? open.error, 'Your copy could not be opened');
  if (problem) return <ErrorNotice problem={problem} />;
  if (vault.data && !has)
    return (
      <Notice
        tone="neutral"
        action={
          <Button size="small" style={{ flex: 'none' }} onClick={() => void askVault('set_up')}>
            Set up a vault
          </Button>
        }
      >
        With a vault you keep a second copy that only you can open, and change one value without typing the
        others.
      </Notice>
    );
  if (!copies.data) return null;
  if (!copy)
    return (
      <Notice tone="neutral">
        Your vault has no copy of these values yet: it keeps one when you next send all of them.
      </Notice>
    );
  if (filled)
    return (
      <Notice tone="ok" title="Your copy is open.">
        The values below are those {isCurrent(copy, cvm) ? 'the CVM runs with' : 'of your copy'}; change only
        what you want to change.
      </Notice>
    );
  return (
    <Notice
      tone={isCurrent(copy, cvm) ? 'neutral' : 'attention'}
      action={
        <Button size="small" style={{ flex: 'none' }} disabled={open.isPending} onClick={() => open.mutate()}>
          Fill in my copy
        </Button>
      }
    >
      {isCurrent(copy, cvm) ? (
        'Your vault has a copy of these values.'
      ) : (
        <>
          Your copy is from <RelativeTime at={copy.updated_at} />; the values were changed since by somebody
          else, or elsewhere. Sending it would bring the older values back.
        </>
      )}
    </Notice>
  );
}

const isCurrent = (copy: SecretCopy, cvm: CvmDetail) =>
  cvm.vm_uuid !== null && copy.cvms.includes(cvm.vm_uuid);

/** The copy of what this CVM runs with, else the newest. */
function best(copies: readonly SecretCopy[] | undefined, cvm: CvmDetail): SecretCopy | undefined {
  return copies?.find((copy) => isCurrent(copy, cvm)) ?? copies?.[0];
}
