import type { EventEmitter } from 'node:events';

/**
 * Lets a command finish when its output's reader exits early, as in `teehouse outbox list | head`: further output is
 * dropped, and the command still completes.
 */
export function ignoreClosedPipes(streams: readonly EventEmitter[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
