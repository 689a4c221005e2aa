import pLimit, { type LimitFunction } from 'p-limit';
import { ScimError } from '../../domain/teams/scim/scimError';

/** Writes of one connection in progress or waiting, each with a body of up to 64 KiB. Providers send a handful at a time. */
const MAX_PENDING = 100;

const pending = ({ activeCount, pendingCount }: LimitFunction): number => activeCount + pendingCount;

/**
 * Runs the writes of a connection one after another. They would wait for each other in the database anyway, but each would
 * occupy one of the few database connections that all teams share.
 * @returns a function that runs `work` when it is the connection's turn. @throws {ScimError} 429
 */
export function createTurns() {
  const connections = new Map<number, LimitFunction>();
  return async <T>(connection_id: number, work: () => Promise<T>): Promise<T> => {
    const turns = connections.get(connection_id) ?? pLimit(1);
    if (pending(turns) >= MAX_PENDING)
      throw new ScimError(429, `${MAX_PENDING} changes are in progress. Try again in a minute.`);
    connections.set(connection_id, turns);
    try {
      return await turns(work);
    } finally {
      if (pending(turns) === 0) connections.delete(connection_id);
    }
  };
}
