import { CommitUnknownError, errorCode } from './client';

/**
 * Recognizes a database that is restarting, refuses connections or broke one. Transactions that may have been
 * committed don't count, because clients repeat a request that failed for this reason.
 */

/** Seconds after which a request may be retried: PostgreSQL restarts in a few. */
export const DATABASE_RETRY_SECONDS = 3;

/** Connection exceptions, a server that is shutting down, crashed or starting, and one with too many connections. */
const SQLSTATES = /^(0800.|57P0[123]|53300)$/;
/** Messages of pg and pg-pool that have no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;
/** Socket errors. Only the database's reach a request, because drivers wrap theirs. */
const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Whether an error means that the database is temporarily unavailable, so that the same request may soon
 * succeed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CommitUnknownError) return false;
  const sqlstate = errorCode(error);
  if (sqlstate !== undefined && SQLSTATES.test(sqlstate)) return true;
  if (MESSAGES.test(error.message)) return true;
  // Each address of the host name was tried.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isBrokenSocket);
  return isBrokenSocket(error);
}

/** A missing or unwritable file also has a system call, but is no outage. */
function isBrokenSocket(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false;
  return NETWORK.test(String(error.code)) || (error.code === 'ENOENT' && error.syscall === 'connect');
}
