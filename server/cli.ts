import { text } from 'node:stream/consumers';
import { runCli } from './cli/run';

/** Entry point of the `teehouse` command; see `teehouse help`. */
const code = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  async start({ role }) {
    if (role !== undefined) process.env.TEEHOUSE_ROLE = role;
    const { runServer } = await import('./main');
    await runServer();
  },
});
// The server installs its own handlers.
if (code !== 0) process.exitCode = code;
