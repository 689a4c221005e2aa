import { TEXTS } from '../../../console/lib/texts/allTexts';
import type { TextKey } from '../../../generated/api/types.gen';

/**
 * Returns the stored keys of a text; none if one is unknown because a newer version, running beside this one
 * during an upgrade, wrote it.
 */
export const textKeys = (keys: readonly TextKey[] | null | undefined): TextKey[] =>
  keys?.every(({ id }) => Object.hasOwn(TEXTS, id)) ? [...keys] : [];
