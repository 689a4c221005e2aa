import { CommitUnknownError, errorCode } from './client';

/**
 * Recognizes a database that is restarting, refuses connections or broke one. A transaction that may have been committed
 * nevertheless doesn't count, because clients repeat a request that failed for this reason.
 */

/** Seconds after which a request may be sent again: PostgreSQL restarts in a few. */
export const DATABASE_RETRY_SECONDS = 3;

/** Connection exceptions, a server that is shutting down, crashed or starting, and one with too many connections. */
const SQLSTATES = /^(0800.|57P0[123]|53300)$/;
/** What pg and pg-pool say without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;
/** Errors of a socket, which reach a request only from the database: drivers turn theirs into errors of their own. */
const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Whether an error says that the database can't be used at the moment, so that the same request may succeed soon. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CommitUnknownError) return false;
  const sqlstate = errorCode(error);
  if (sqlstate !== undefined && SQLSTATES.test(sqlstate)) return true;
  if (MESSAGES.test(error.message)) return true;
  // A name with several addresses was tried at each.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isBrokenSocket);
  return isBrokenSocket(error);
}

/** A file that is missing or can't be written has a system call, too, and is no outage. */
function isBrokenSocket(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false;
  return NETWORK.test(String(error.code)) || (error.code === 'ENOENT' && error.syscall === 'connect');
}
