import { spawn } from 'node:child_process';
import path from 'node:path';
import { DEV_CHAIN_PORT, startDevChain, type DevChain } from './chain/devChain';
import { ROOT, bin } from './run';

/**
 * `npm run dev`: runs the server from source and restarts it when one of its files changes. devServer.ts mounts both
 * apps' development server inside it, so there is one address and pages reload without a restart. A development chain
 * with a KMS contract, used by the local teepod's second KMS, runs alongside unless LOCAL_CHAIN_RPC_URL is set.
 */
const chain = process.env.LOCAL_CHAIN_RPC_URL ? null : await devChain();
const child = spawn(
  process.execPath,
  [bin('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'server/main.ts', ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEEHOUSE_DEV: 'on',
      ...(chain
        ? {
            // It pushes events at the same address.
            LOCAL_CHAIN_RPC_URL: `${chain.url},${chain.url.replace(/^http/, 'ws')}`,
            LOCAL_TEEPOD_KMS_CONTRACT: chain.kms.address,
          }
        : {}),
    },
  },
);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGINT', () => undefined); // The terminal sends it to the child too, which then exits.
child.once('exit', (code) => {
  void (chain?.stop() ?? Promise.resolve()).finally(() => process.exit(code ?? 1));
});

/** Optional for the server, so a machine that can't run it only gets a note. */
async function devChain(): Promise<DevChain | null> {
  const dir = path.resolve(process.env.DATA_DIR ?? path.join(ROOT, 'data'), 'dev-chain');
  try {
    const started = await startDevChain({ dir, port: DEV_CHAIN_PORT });
    process.stdout.write(
      `  Development chain (31337) at ${started.url}, KMS contract ${started.kms.address}\n`,
    );
    return started;
  } catch (error) {
    process.stdout.write(
      `  No development chain: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return null;
  }
}
