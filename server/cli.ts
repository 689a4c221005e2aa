import { text } from 'node:stream/consumers';
import { ignoreClosedPipes } from './cli/closedPipe';
import { runCli } from './cli/run';

/** Entry point of the `teehouse` command; see `teehouse help`. */
const args = process.argv.slice(2);
// A server that can't log should stop and be restarted.
if (args[0] !== 'start') ignoreClosedPipes([process.stdout, process.stderr]);
const code = await runCli(args, {
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
