import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Db } from '../../db/core/client';
import type { TemporaryLogLevel } from '../../domain/platform/logLevel';
import { createLogger } from '../../log';
import { followLogLevel } from './followLogLevel';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DEBUG: TemporaryLogLevel = { level: 'debug', left_ms: 60_000 };

function following(configured: string) {
  const lines: string[] = [];
  const log = createLogger(configured, { write: (line: string) => void lines.push(line) });
  // Only `read` is used; no notifications arrive.
  const follower = followLogLevel({
    db: null as unknown as Db,
    events: { onLogLevel: () => () => undefined },
    log,
  });
  const level = () => log.threshold.level;
  return { follower, level, lines };
}

it('ends a level when its time is over, without querying the database', async () => {
  const { follower, level } = following('info');
  await follower.read(async () => DEBUG);
  expect(level()).toBe('debug');
  vi.advanceTimersByTime(59_000);
  expect(level()).toBe('debug');
  vi.advanceTimersByTime(1_000);
  expect(level()).toBe('info');
});

it('counts from the latest answer, and keeps a level whose duration exceeds the timer limit', async () => {
  const { follower, level } = following('info');
  await follower.read(async () => DEBUG);
  vi.advanceTimersByTime(50_000);
  await follower.read(async () => ({ level: 'trace', left_ms: 1e12 }));
  vi.advanceTimersByTime(60_000);
  expect(level()).toBe('trace');
  follower.stop();
});

it('ignores an answer that was overtaken by a later one', async () => {
  const { follower, level } = following('info');
  let answer = (_: null) => {};
  const early = new Promise<null>((resolve) => (answer = resolve));
  const reading = follower.read(() => early);
  await follower.read(async () => DEBUG);
  answer(null);
  await reading;
  expect(level()).toBe('debug');
  await follower.read(async () => null);
  expect(level()).toBe('info');
});

it('keeps the level when the database can’t be read', async () => {
  const { follower, level } = following('info');
  await follower.read(async () => DEBUG);
  await expect(follower.read(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(level()).toBe('debug');
  follower.stop();
});

it('logs each change where either level shows it', async () => {
  const { follower, lines } = following('error');
  await follower.read(async () => DEBUG);
  await follower.read(async () => DEBUG);
  await follower.read(async () => null);
  const changes = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(changes).toMatchObject([
    { level_before: 'error', level_after: 'debug' },
    { level_before: 'debug', level_after: 'error' },
  ]);
});
