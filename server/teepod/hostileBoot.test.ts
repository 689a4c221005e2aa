/** Compose files crafted to crash the host process, against a teepod in a separate process. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchMachineLag } from '../testing/machineLag';
import { Client, spawnTeepod, temporaryDirectory, until, type Spawned } from './testing/client';

let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Spawned;
let client: Client;

beforeAll(async () => {
  dir = await temporaryDirectory();
  teepod = await spawnTeepod(dir.path, { TEEPOD_ENGINE: 'simulate' });
  client = new Client(teepod.listen);
  await client.booted(await client.create(ORDINARY));
});
afterAll(async () => {
  await teepod.kill('SIGTERM');
  await dir.remove();
});

const ORDINARY = 'services:\n  web: {image: nginx}\n';
const MAX_RSS_MB = 1_200;
/** Slowest acceptable answer on an idle machine, ms; an event loop that plans a file stalls for seconds. */
const MAX_ANSWER_MS = 1_000;

async function peakMemoryMb(): Promise<number> {
  const status = await readFile(`/proc/${teepod.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Calls Version and Status until the boot ends.
 * @returns the boot error and the slowest answer in ms, minus the machine's own lag
 */
async function watchBoot(id: string): Promise<{ error: string; slowest: number }> {
  let slowest = 0;
  const lag = watchMachineLag();
  const timed = async (method: string): Promise<void> => {
    const began = performance.now();
    await client.rpc(method, { brief: true });
    slowest = Math.max(slowest, performance.now() - began);
  };
  const error = await until('the boot to end', async () => {
    await timed('Version');
    await timed('Status');
    const info = await client.info(id);
    return info.boot_error || (info.boot_progress === 'done' ? 'done' : undefined);
  });
  lag.stop();
  return { error, slowest: slowest - 10 * lag.slowestMs() };
}

test('fails only the boot that uses a secret 90,000 times', async () => {
  const app_id = '56'.repeat(20);
  const encrypted_env = await client.seal(app_id, [{ key: 'S', value: 's'.repeat(100 * 1024) }]);
  const entries = Array.from({ length: 60 }, (_, i) => `      E${i}: "${'$S'.repeat(1_500)}"`).join('\n');
  const bomb = await client.create(
    `services:\n  web:\n    image: nginx\n    environment:\n${entries}\n`,
    { app_id, encrypted_env },
    { allowed_envs: ['S'] },
  );
  const ordinary = await client.create(ORDINARY);
  const { error, slowest } = await watchBoot(bomb);
  expect(error).toBe(
    'failed to start containers: The environment expands to more than 4 MB. Use large variables in fewer places.',
  );
  expect(slowest).toBeLessThan(MAX_ANSWER_MS);
  expect(await peakMemoryMb()).toBeLessThan(MAX_RSS_MB);
  expect((await client.booted(ordinary)).boot_error).toBe('');
  await client.remove(bomb);
});

test.each([
  ['many values', `x: [${'1,'.repeat(450_000)}]`],
  ['deep nesting', '['.repeat(900_000)],
  ['aliases of a long text', `x-a: &a "${'$A'.repeat(40_000)}"\nvolumes: [${'*a,'.repeat(40_000)}]`],
])('keeps responding while it parses a slow file: %s', async (_what, text) => {
  const id = await client.create(`${text}\n${ORDINARY}`);
  const { error, slowest } = await watchBoot(id);
  expect(error).toMatch(/^failed to start containers: (the Compose file|The environment expands)/);
  expect(slowest).toBeLessThan(MAX_ANSWER_MS);
  expect(await peakMemoryMb()).toBeLessThan(MAX_RSS_MB);
  await client.remove(id);
});
