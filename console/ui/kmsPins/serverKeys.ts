import { isPinned, type KmsPin, type PinKind, statedRoots } from '../../lib/secrets/kmsPins';
import type { ServerKms } from './kinds';

export interface ServerKeys {
  /** All root keys that the server states as valid. */
  keys: [PinKind, string][];
  /**
   * - `pinned`: every one is pinned.
   * - `unpinned`: none is known to differ.
   * - `announced`: those in use are pinned, and another will replace one of them.
   * - `replacing`: another valid one is pinned than the one in use.
   * - `differing`: of a kind with pins, none is pinned.
   */
  state: 'pinned' | 'unpinned' | 'announced' | 'replacing' | 'differing';
  differing: PinKind[];
}

/** Compares the root keys that the server states with those pinned in this browser. Null if it states none. */
export function compareServerKeys(kms: ServerKms, pins: readonly KmsPin[]): ServerKeys | null {
  const roots = statedRoots(kms);
  const env = roots.map((key): [PinKind, string] => ['env', key]);
  const ca: [PinKind, string][] = kms.ca_pubkey === null ? [] : [['ca', kms.ca_pubkey]];
  const keys = [...env, ...ca];
  if (keys.length === 0) return null;
  const isKnown = ([kind, key]: [PinKind, string]) => isPinned(pins, kind, key);
  const differs = (some: [PinKind, string][]) =>
    some.length > 0 && some.every((key) => isKnown(key) === false);
  const differing: PinKind[] = [
    ...(differs(env) ? (['env'] as const) : []),
    ...(differs(ca) ? (['ca'] as const) : []),
  ];
  const inUse = [...env.slice(0, 1), ...ca];
  const state =
    differing.length > 0
      ? 'differing'
      : inUse.some((key) => isKnown(key) === false)
        ? 'replacing'
        : keys.every(isKnown)
          ? 'pinned'
          : inUse.every(isKnown)
            ? 'announced'
            : 'unpinned';
  return { keys, state, differing };
}
