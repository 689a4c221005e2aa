import { ScimError } from '../../domain/teams/scim/scimError';

/** Writes of one connection in progress or waiting, each with a body of up to 64 KiB. Providers send a handful at a time. */
const MAX_PENDING = 100;

/**
 * Runs the writes of a connection one after another. They would wait for each other in the database anyway, but each would
 * occupy one of the few database connections that all teams share.
 * @returns a function that runs `work` when it is the connection's turn. @throws {ScimError} 429
 */
export function createTurns() {
  const queues = new Map<number, { last: Promise<unknown>; pending: number }>();
  return async <T>(connection_id: number, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(connection_id) ?? { last: Promise.resolve(), pending: 0 };
    if (queue.pending >= MAX_PENDING)
      throw new ScimError(429, `${MAX_PENDING} changes are in progress. Try again in a minute.`);
    queues.set(connection_id, queue);
    queue.pending++;
    const turn = queue.last.then(work);
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      if (--queue.pending === 0) queues.delete(connection_id);
    }
  };
}
