import type { Text } from '../../../console/lib/texts/text';
import { toJson } from '../core/json';

/** Returns the columns for why a CVM is in an error state; null clears them. */
export const statusReason = (reason: Text | null) => ({
  status_reason: reason?.text ?? null,
  status_reason_keys: toJson(reason?.keys ?? []),
});
