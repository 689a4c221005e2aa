import type { CvmDetail } from '../../../generated/api/types.gen';
import { failedToBoot } from '../cvms/cvmState';
import type { Connection } from './logConnection';
import { hidesLogs, type LogSource } from './logSources';

/** Explains why the log is empty instead of only showing a spinner. */
export function emptyLogText(
  connection: Connection,
  source: LogSource,
  cvm: Pick<CvmDetail, 'status' | 'in_progress' | 'uptime' | 'public_logs' | 'trust'>,
): { title: string; text: string; private?: true } {
  if (source.closed !== undefined)
    return { title: 'Private', text: source.closed, ...(hidesLogs(cvm) ? { private: true } : {}) };
  if (connection.state === 'connecting')
    return { title: 'Connecting', text: 'Requesting the log from the host.' };
  if (connection.state === 'live')
    return { title: 'No output yet', text: 'Connected. New lines appear here.' };
  if (connection.state === 'waiting')
    return { title: 'No output yet', text: 'The CVM hasn’t written to this log. New lines appear here.' };
  if (connection.state === 'ended' && failedToBoot(cvm))
    return { title: 'No output', text: 'The CVM failed to start before it wrote to this log.' };
  const stopped = cvm.status === 'stopped';
  if (stopped && source.kind === 'vm')
    return { title: 'No output', text: 'The CVM is stopped. Its last run wrote nothing to this log.' };
  return {
    title: stopped ? 'The CVM is stopped' : connection.state === 'ended' ? 'No log' : 'Reconnecting',
    text: stopped
      ? 'Container output isn’t kept after a stop. Start the CVM to see new logs.'
      : connection.reason,
  };
}
