import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../root';

/** Helpers for the command-line tools in this folder. */

export { ROOT };

/** Path of a locally installed command, run without a shell or npx in between. */
export const bin = (file: string) => path.join(ROOT, 'node_modules', file);

export interface Ran {
  /** Exit code; 128 if a signal killed it or it couldn't start. */
  code: number;
  output: string;
}

interface RunOptions {
  env?: Record<string, string | undefined>;
  /** Show output as it arrives; it is collected either way. */
  show?: boolean;
  /** A file to append the output to as it arrives. */
  log?: string;
}

/** Runs a program without standard input and collects its output. Never throws. */
export function run(
  command: string,
  args: string[],
  { env, show = false, log }: RunOptions = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    const file = log === undefined ? undefined : createWriteStream(log, { flags: 'a' });
    // The collected output is complete without it.
    file?.on('error', () => undefined);
    const collect = (chunk: Buffer) => {
      output += chunk;
      file?.write(chunk);
      if (show) process.stdout.write(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: 128, output: `${output}${error.message}\n` }));
    child.once('close', (code) => {
      file?.end();
      resolve({ code: code ?? 128, output });
    });
  });
}

/** Runs a Node script the same way. */
export const runNode = (args: string[], options?: RunOptions) => run(process.execPath, args, options);

/** Formats a duration as `12.3 s`. */
export const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
