import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from './build';
import { ROOT } from './run';

/** `npm start`: builds outdated parts, then runs the server with the given arguments (`--role web`). */

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (!existsSync(path.join(ROOT, 'node_modules/vite')))
    console.error(
      'The build tools are not installed: run `npm ci` without --omit=dev and without NODE_ENV=production.',
    );
  process.exit(1);
}

const server = path.join(ROOT, 'dist/server/main.js');
// The server exits with this process, even if it is killed.
const setpriv =
  process.platform === 'linux' && existsSync('/usr/bin/setpriv') ? '/usr/bin/setpriv' : undefined;
const command = [process.execPath, '--enable-source-maps', server, ...process.argv.slice(2)];
const child = spawn(
  setpriv ?? command[0]!,
  setpriv ? ['--pdeathsig', 'SIGTERM', ...command] : command.slice(1),
  { stdio: 'inherit' },
);

process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGTERM'));
process.on('SIGINT', () => {
  // Ctrl-C in a terminal already reaches the server; a second signal would cut its drain short.
  if (!process.stdin.isTTY) child.kill('SIGTERM');
});
child.once('error', (error) => {
  console.error(`The server did not start: ${error.message}`);
  process.exit(1);
});
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' ? 0 : 1)));
