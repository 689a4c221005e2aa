import { useStored } from '../../../../ui/stored';
import { SAVED_CONTRACTS, savedContract, type Needed, type SavedContract } from './savedContract';

/**
 * Returns this browser's progress on a deployment, from this page, an earlier visit or another tab, so that users
 * don't pay for a second contract.
 */
export function useSavedContract(needed: Needed): SavedContract {
  const [stored] = useStored(SAVED_CONTRACTS, '[]');
  return savedContract(needed, stored);
}
