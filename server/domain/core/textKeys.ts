import { TEXTS } from '../../../console/lib/texts/allTexts';
import type { TextKey } from '../../../generated/api/types.gen';

/**
 * Returns the stored keys of a text, or none if a newer version, which may run beside this one during an upgrade, wrote
 * one that this version doesn't know.
 */
export const textKeys = (keys: readonly TextKey[] | null | undefined): TextKey[] =>
  keys?.every(({ id }) => Object.hasOwn(TEXTS, id)) ? [...keys] : [];
