import type { AiRequest } from '../../../generated/api/types.gen';

/** What the page knows of an answer. */
export interface AnswerIds {
  /** `X-Receipt-Id`; null if the gateway names none. */
  receipt_id: string | null;
  /** The `id` in the answer; null before its first bytes. */
  id: string | null;
}

interface Wanted extends AnswerIds {
  /** How often to look. A complete answer is recorded before its last bytes; one that was stopped, soon after. */
  tries: number;
  wait: () => Promise<unknown>;
}

/**
 * Returns the gateway's record of an answer, with the tokens and the cost that are billed; null if none is certainly its own.
 * @param list returns the newest requests of the page's own key, newest first
 */
export async function recordOf(
  list: () => Promise<readonly AiRequest[]>,
  { tries, wait, ...ids }: Wanted,
): Promise<AiRequest | null> {
  for (let left = tries; left > 0; left -= 1) {
    const [found, another] = (await list()).filter((record) => isOf(record, ids));
    if (found) return another ? null : found;
    if (left > 1) await wait();
  }
  return null;
}

/**
 * The built-in gateway issues the receipt's ID, but the answer's ID is the model server's, which may repeat one. Records of
 * another gateway have no receipt here, and their IDs are its own.
 */
const isOf = (record: AiRequest, { receipt_id, id }: AnswerIds): boolean =>
  record.gateway === null
    ? receipt_id !== null && record.receipt_id === receipt_id
    : id !== null && record.id === id;
