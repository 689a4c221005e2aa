import type { AiRequest } from '../../../../generated/api/types.gen';

/** The identifiers the page knows for an answer. */
export interface AnswerIds {
  /** `X-Receipt-Id`; null if the gateway sends none. */
  receipt_id: string | null;
  /** The `id` in the answer; null before its first bytes. */
  id: string | null;
}

interface Wanted extends AnswerIds {
  /** Number of lookups. A complete answer is recorded before its last bytes; a stopped one, soon after. */
  tries: number;
  wait: () => Promise<unknown>;
}

/**
 * Returns the gateway's record of an answer, with the billed tokens and cost; null if no record certainly belongs
 * to it.
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
 * Returns a key that no other request has: a model server may give several answers the same ID.
 */
export const requestKey = ({
  id,
  receipt_id,
  created_at,
}: Pick<AiRequest, 'id' | 'receipt_id' | 'created_at'>): string => receipt_id ?? `${id} ${created_at}`;

/**
 * The built-in gateway issues the receipt ID, but the answer's ID comes from the model server, which may repeat
 * one. Records of another gateway have no receipt here, and their IDs are unique.
 */
const isOf = (record: AiRequest, { receipt_id, id }: AnswerIds): boolean =>
  record.gateway === null
    ? receipt_id !== null && record.receipt_id === receipt_id
    : id !== null && record.id === id;
