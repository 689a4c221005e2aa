import type { AiRequest } from '../../../generated/api/types.gen';

interface Wanted {
  /** Of the answer; null if it had none. */
  id: string | null;
  /** The records of earlier answers, which aren't it. */
  known: ReadonlySet<string>;
  /** How often to look. A complete answer is recorded before its last bytes; one that was stopped, soon after. */
  tries: number;
  wait: () => Promise<unknown>;
}

/** The answers' IDs are the model server's, which may repeat. */
export const recordKey = ({ id, created_at }: AiRequest): string => `${id} ${created_at}`;

/**
 * Returns the gateway's record of an answer, with the tokens and the cost that are billed; null if it isn't found.
 * @param list returns the newest requests of the page's own key, newest first
 */
export async function recordOf(
  list: () => Promise<readonly AiRequest[]>,
  { id, known, tries, wait }: Wanted,
): Promise<AiRequest | null> {
  for (let left = tries; left > 0; left -= 1) {
    const found = (await list()).find((one) => (id === null || one.id === id) && !known.has(recordKey(one)));
    if (found) return found;
    if (left > 1) await wait();
  }
  return null;
}
