/**
 * The local teepod: a program of its own that answers dstack-vmm's RPC without a TEE. Started by the server with an IPC channel, or
 * by hand: `TEEPOD_DIR=./data/teepod node --import tsx server/teepod/main.ts`. Configuration: config.ts.
 */
import { readConfig } from './config';
import { startTeepod, type Teepod } from './server';

function say(level: 'info' | 'error', msg: string, more: Record<string, unknown> = {}): void {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), name: 'teepod', msg, ...more })}\n`,
  );
}

let teepod: Teepod | undefined;
let ending = false;

/** Containers are left running: a TEE host outlives its console, and the next start takes them up again. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), 10_000).unref();
  await teepod?.close().catch((error: unknown) => say('error', String(error)));
  process.exit(code);
}

process.on('SIGTERM', () => void end(0));
process.on('SIGINT', () => void end(0));
// The parent is gone, also by kill -9.
process.on('disconnect', () => void end(0));
// Its output pipe is gone with it; that must not crash the graceful end.
process.stdout.on('error', () => undefined);
process.on('unhandledRejection', (reason) => {
  // State is on disk and recovered at the next start; going on with a broken invariant is worse.
  say('error', 'unhandled rejection', { reason: reason instanceof Error ? reason.stack : String(reason) });
  process.exit(1);
});

try {
  teepod = await startTeepod(readConfig(process.env));
  const { listen, gateway_port, engine, engine_note } = teepod;
  say('info', 'local teepod, no hardware TEE', {
    listen,
    gateway_port,
    engine,
    ...(engine_note ? { note: engine_note } : {}),
  });
  process.send?.({ ready: true, listen, gateway_port, engine });
} catch (error) {
  say('error', error instanceof Error ? error.message : String(error));
  process.send?.({ ready: false, error: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
