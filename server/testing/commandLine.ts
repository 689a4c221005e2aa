import type { Cli } from '../cli/io';
import { runCli } from '../cli/run';

export interface CliRun {
  code: number;
  /** Lines of standard output. */
  out: string[];
  err: string[];
}

/** Runs commands against one database, like `teehouse …`. */
export function commandLine(
  env: Record<string, string | undefined>,
  started: (role?: string) => void = () => {},
) {
  return async (argv: string[], input = ''): Promise<CliRun> => {
    const run: CliRun = { code: -1, out: [], err: [] };
    const cli: Cli = {
      env,
      out: (line) => void run.out.push(line),
      err: (line) => void run.err.push(line),
      readInput: async () => input,
      start: async ({ role }) => started(role),
    };
    run.code = await runCli(argv, cli);
    return run;
  };
}
