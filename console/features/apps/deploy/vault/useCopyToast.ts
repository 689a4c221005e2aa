import { useToast } from '../../../../ui/feedback/toasts';
import type { CopyOutcome } from '../useUpdate';

/**
 * Returns a function that reports the outcome of a vault copy. The copy is a convenience: its failure doesn't fail
 * the deployment or update, whose secrets the CVM already has. `retry` says how to save the copy later.
 */
export function useCopyToast(retry: string): (copy: CopyOutcome) => void {
  const toast = useToast();
  return (copy) => {
    if (copy === 'kept') toast({ tone: 'ok', title: 'Secrets saved to your vault' });
    if (copy === 'failed')
      toast({
        tone: 'error',
        title: 'Couldn’t save the secrets to your vault',
        message: `The CVM received them. ${retry}`,
      });
    if (copy === 'other_key')
      toast({
        tone: 'error',
        title: 'Couldn’t save a copy: your vault key has changed',
        message:
          'Open the vault in your account settings. If you didn’t set up a new vault, contact an administrator.',
      });
  };
}
