import { useStored } from '../../../../ui/stored';
import { SAVED_CONTRACTS, savedContract, type Needed, type SavedContract } from './savedContract';

/**
 * Returns what this browser did for a deployment: on this page, in an earlier visit or in another tab, so that no second
 * contract is paid for.
 */
export function useSavedContract(needed: Needed): SavedContract {
  const [stored] = useStored(SAVED_CONTRACTS, '[]');
  return savedContract(needed, stored);
}
