import { CommandError } from './io';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  signal: AbortSignal;
  interrupted: Promise<never>;
  /** Signals end the process again. */
  release(): void;
}

/**
 * Lets a command clean up when a signal interrupts it: the first one aborts and rejects with the message. Later ones are
 * ignored: npm passes on a Ctrl-C that the process receives anyway.
 */
export function interruption(message: string): Interruption {
  const controller = new AbortController();
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => {
      const error = new CommandError(message);
      controller.abort(error);
      reject(error);
    };
  });
  // It may arrive while nothing awaits it.
  interrupted.catch(() => undefined);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    interrupted,
    release() {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}
