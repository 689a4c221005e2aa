import { endedAiKeys, type EndedAiKey, type LiveAiKey } from '../../db/ai/aiKeys';
import { AiError } from '../../domain/ai/aiError';
import type { Services } from '../../operations/types';
import { turnedOff } from './key';

/** Milliseconds between checks of the keys of answers in progress, all in one query. */
const EVERY_MS = 1000;

/**
 * Watches the key of an answer in progress.
 * @param answer aborted when the key is revoked or expires, or its team turns the AI API off or is deleted, with
 *   the client's error as the reason
 * @returns a function to call when the answer has ended
 */
export type KeyWatch = (key: Pick<LiveAiKey, 'id'>, answer: AbortController) => () => void;

interface Looks {
  everyMs?: number;
  /** Returns the keys that are no longer valid. */
  ended?: (ids: readonly number[]) => Promise<readonly EndedAiKey[]>;
}

/** One watch per process. It is idle while no answer is in progress. */
export function createKeyWatch(
  { db, log }: Pick<Services, 'db' | 'log'>,
  { everyMs = EVERY_MS, ended = (ids) => endedAiKeys(db, ids) }: Looks = {},
): KeyWatch {
  const watched = new Map<number, Set<AbortController>>();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    for (const { id, is_off } of await ended([...watched.keys()]))
      for (const controller of watched.get(id) ?? []) controller.abort(is_off ? turnedOff() : keyEnded());
  };
  const lookLater = (): void => {
    timer = setTimeout(() => {
      look()
        // The next check follows; new requests with the key are refused anyway.
        .catch((error: unknown) => log.warn({ err: error }, "couldn't look up AI keys in use"))
        .finally(() => {
          // Kept set until now, so that answers starting during a check don't start a second timer.
          timer = undefined;
          if (watched.size > 0) lookLater();
        });
    }, everyMs).unref();
  };

  return ({ id }, answer) => {
    const others = watched.get(id) ?? new Set();
    watched.set(id, others.add(answer));
    if (timer === undefined) lookLater();
    return () => {
      others.delete(answer);
      if (others.size === 0 && watched.get(id) === others) watched.delete(id);
    };
  };
}

const keyEnded = () =>
  new AiError(
    401,
    'authentication_error',
    'invalid_api_key',
    'This AI key was revoked or has expired, or its team was deleted, so the answer ends here.',
  );
