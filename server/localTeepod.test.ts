import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from './config';
import { superviseLocalTeepod, type LocalTeepodReady } from './localTeepod';
import { createLogger } from './log';

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'teehouse-supervised-'))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function supervised(register: (ready: LocalTeepodReady) => Promise<void>, below = '') {
  const lines: string[] = [];
  const log = createLogger('warn', { write: (line) => void lines.push(line) });
  const config = loadConfig({ DATA_DIR: join(dataDir, below), LOCAL_TEEPOD_ENGINE: 'simulate' });
  return { teepod: superviseLocalTeepod(config, log, register), lines };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('waits for a registration that a stop interrupts, and does not log its failure', async () => {
  let fail!: (error: Error) => void;
  const registration = new Promise<void>((_, reject) => (fail = reject));
  let started!: () => void;
  const starting = new Promise<void>((resolve) => (started = resolve));
  const { teepod, lines } = supervised(() => {
    started();
    return registration;
  });
  await starting;

  let stopped = false;
  const stop = teepod.stop().then(() => void (stopped = true));
  await expect.poll(() => isRunning(teepod.pid!)).toBe(false);
  expect(stopped).toBe(false);
  fail(new Error('the teepod is gone'));
  await stop;
  expect(lines).toEqual([]);
});

it('logs a registration that fails while the server runs, and repeats it', async () => {
  let attempts = 0;
  const { teepod, lines } = supervised(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('the KMS does not answer');
  });
  await expect.poll(() => lines.join('')).toContain('the KMS does not answer');
  await expect.poll(() => attempts, { timeout: 10_000 }).toBe(2);
  await teepod.stop();
  expect(attempts).toBe(2);
});

it('removes the folder of the socket whose path would be too long in the data directory', async () => {
  let listen = '';
  const { teepod } = supervised(async (ready) => void ({ listen } = ready), 'deep'.repeat(30));
  await expect.poll(() => listen, { timeout: 20_000 }).toMatch(/^unix:/);
  await teepod.stop();
  expect(existsSync(dirname(listen.slice('unix:'.length)))).toBe(false);
});
