import { spawn } from 'node:child_process';
import { ROOT, bin } from './run';

/**
 * `npm run dev`: runs the server from source and restarts it when one of its files changes. devServer.ts mounts both
 * apps' development server inside it, so there is one address and pages reload without a restart.
 */
const child = spawn(
  process.execPath,
  [bin('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'server/main.ts', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TEEHOUSE_DEV: 'on' } },
);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGINT', () => undefined); // The terminal sends it to the child too, which then exits.
child.once('exit', (code) => process.exit(code ?? 1));
