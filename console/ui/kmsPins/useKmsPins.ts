import { useMemo } from 'react';
import { type KmsPin, parsePins, PINS_STORE } from '../../lib/secrets/kmsPins';
import { useStored } from '../stored';

export interface KmsPins {
  /** Null if the stored pins can't be read. */
  pins: KmsPin[] | null;
  set: (pins: readonly KmsPin[]) => void;
}

/** KMS root keys pinned in this browser, shared between its tabs. */
export function useKmsPins(): KmsPins {
  const [stored, store] = useStored(PINS_STORE, '');
  const pins = useMemo(() => parsePins(stored), [stored]);
  return { pins, set: (next) => store(JSON.stringify(next)) };
}
