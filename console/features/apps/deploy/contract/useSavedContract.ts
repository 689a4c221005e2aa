import { useRef, useState } from 'react';
import { useStored, useStoredChange } from '../../../../ui/stored';
import {
  SAVED_CONTRACTS,
  saveContract,
  savedContract,
  type Needed,
  type SavedContract,
} from './savedContract';

/**
 * Returns what an earlier visit or another tab did for a deployment, so that no second contract is paid for, and how to save
 * what this one does, which it follows itself.
 */
export function useSavedContract(needed: Needed): [SavedContract, (saved: SavedContract) => void] {
  const [stored] = useStored(SAVED_CONTRACTS, '[]');
  const now = JSON.stringify(savedContract(needed, stored));
  const own = useRef<string>(null);
  const [saved, setSaved] = useState(() => savedContract(needed));
  useStoredChange(now, () => {
    if (now !== own.current) setSaved(savedContract(needed, stored));
    own.current = null;
  });
  const save = (next: SavedContract) => {
    saveContract(needed, next);
    own.current = JSON.stringify(savedContract(needed));
  };
  return [saved, save];
}
