/** What a command may touch of the world, so that tests run commands without a process of their own. */
export interface Cli {
  env: Record<string, string | undefined>;
  /** One line of the answer: standard output, which scripts read. */
  out(line: string): void;
  /** One line about it: standard error. */
  err(line: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Runs the server until it is told to stop. */
  start(options: { role?: string }): Promise<void>;
}

export const EXIT = { ok: 0, failed: 1, usage: 2, config: 78 } as const;

/** The command was not given as it should be; its help is shown. */
export class UsageError extends Error {}

/** The command could not do what it was asked; the message says why, for people. */
export class CommandError extends Error {}
