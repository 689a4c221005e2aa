import { BUILT_IN, findModel, type RoutedModel } from '../../db/ai/aiModels';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import type { Services } from '../../operations/types';

/** Finds a model that a key may use; undefined if there is none with this name. */
export type ModelFinder = (key: LiveAiKey, id: string) => Promise<RoutedModel | undefined>;

/** Models cached per process: each team can have its own. */
const MAX_KEPT = 1_000;

type KeyRights = Pick<LiveAiKey, 'models' | 'team_id'>;

const isAllowed = ({ models }: KeyRights, id: string): boolean => models === null || models.includes(id);

export const mayUse = (key: KeyRights, { id, team_id }: Pick<RoutedModel, 'id' | 'team_id'>): boolean =>
  isAllowed(key, id) && (team_id === null || team_id === key.team_id);

/**
 * Caches models as long as none has changed, in any process: each key is read together with the current model
 * version.
 */
export function createModelFinder({ db }: Pick<Services, 'db'>, { find = findModel } = {}): ModelFinder {
  let version = 0;
  const kept = new Map<string, RoutedModel>();
  return async (key, id) => {
    if (!isAllowed(key, id)) return undefined;
    if (id === BUILT_IN.id) return BUILT_IN;
    const known = version >= key.catalog_version ? kept.get(id) : undefined;
    // Cached for one team's keys, it may be unavailable to another's.
    if (known) return mayUse(key, known) ? known : undefined;
    const found = await find(db, key.team_id, id);
    if (!found) return undefined;
    if (found.catalog_version > version) {
      version = found.catalog_version;
      kept.clear();
    }
    // Of two concurrent reads, the older one may finish last.
    if (found.catalog_version === version) {
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(id, found.model);
    }
    return found.model;
  };
}
