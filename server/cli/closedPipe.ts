import type { EventEmitter } from 'node:events';

/**
 * Lets a command finish when the reader of its output has seen enough, as in `teehouse outbox list | head`: what it still
 * writes is dropped, and what it still does is done.
 */
export function ignoreClosedPipes(streams: readonly EventEmitter[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
