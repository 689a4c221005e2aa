import { CommandError } from './io';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  /** Its reason is the error for the user. */
  signal: AbortSignal;
  /** Signals end the process again. */
  release(): void;
}

/**
 * Lets a command clean up when a signal interrupts it: the first one aborts. Later ones are ignored: npm
 * passes on a Ctrl-C that the process receives anyway.
 */
export function interruption(message: string): Interruption {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new CommandError(message));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    release() {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}
