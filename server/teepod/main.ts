/**
 * The local teepod: a separate program that implements dstack-vmm's RPC without a TEE. Started by the server
 * with an IPC channel, or manually: `TEEPOD_DIR=./data/teepod node --import tsx server/teepod/main.ts`.
 * Configuration: config.ts.
 */
import { readConfig } from './config';
import { say } from './log';
import { startTeepod, type Teepod } from './server';

let teepod: Teepod | undefined;
let ending = false;

/** Leaves containers running: a TEE host outlives its console, and the next start adopts them. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), 10_000).unref();
  await teepod?.close().catch((error: unknown) => say('error', String(error)));
  process.exit(code);
}

process.on('SIGTERM', () => void end(0));
process.on('SIGINT', () => void end(0));
// The parent has exited, even by kill -9.
process.on('disconnect', () => void end(0));
// Its output pipe is gone too; that must not crash the graceful shutdown.
process.stdout.on('error', () => undefined);
process.on('unhandledRejection', (reason) => {
  // State is on disk and recovered at the next start; running with a broken invariant would be worse.
  say('error', 'unhandled rejection', { reason: reason instanceof Error ? reason.stack : String(reason) });
  process.exit(1);
});

try {
  teepod = await startTeepod(readConfig(process.env));
  const { listen, gateway_port, engine, engine_note, device_id, kms_contract } = teepod;
  say('info', 'local teepod, no hardware TEE', {
    listen,
    gateway_port,
    engine,
    ...(engine_note ? { note: engine_note } : {}),
  });
  process.send?.({ ready: true, listen, gateway_port, engine, device_id, kms_contract });
} catch (error) {
  say('error', error instanceof Error ? error.message : String(error));
  process.send?.({ ready: false, error: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
