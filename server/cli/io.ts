/** A command's access to the outside world. Tests replace it, so they need no process. */
export interface Cli {
  env: Record<string, string | undefined>;
  /** Writes one line to standard output, which scripts read. */
  out(line: string): void;
  /** Writes one line to standard error. */
  err(line: string): void;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
  /** Runs the server until it receives a stop signal. */
  start(options: { role?: string }): Promise<void>;
}

export const EXIT = { ok: 0, failed: 1, usage: 2, config: 78 } as const;

/** The command line was invalid; the help is shown. */
export class UsageError extends Error {}

/** The command failed; the message gives the reason in plain language. */
export class CommandError extends Error {}
