import { run } from './run';

/** Entry point of the action and of the command `teehouse-deploy`. */
process.exitCode = await run({
  env: process.env,
  argv: process.argv.slice(2),
  cwd: process.env.GITHUB_WORKSPACE ?? process.cwd(),
  write: (line) => void process.stdout.write(`${line}\n`),
});
