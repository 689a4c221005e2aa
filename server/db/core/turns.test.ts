import { expect, it } from 'vitest';
import { createTurns } from './turns';

/** Work that is in progress until it is ended. */
function task() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

const refusal = () => new Error('too many');
const oneAfterAnother = () => createTurns<number>({ concurrency: 1, maxPending: 100, refusal });

it("runs one key's work sequentially, and other keys' work concurrently", async () => {
  const inTurn = oneAfterAnother();
  const log: string[] = [];
  const first = task();
  const work = (name: string, until?: Promise<void>) => async () => {
    log.push(`${name} starts`);
    await until;
    log.push(`${name} ends`);
  };
  const a = inTurn(1, work('a', first.ended));
  const b = inTurn(1, work('b'));
  await inTurn(2, work('other'));
  first.end();
  await Promise.all([a, b]);
  expect(log).toEqual(['a starts', 'other starts', 'other ends', 'a ends', 'b starts', 'b ends']);
});

it("runs a key's work concurrently up to its limit", async () => {
  const inTurn = createTurns<number>({ concurrency: 3, maxPending: 100, refusal });
  const until = task();
  let running = 0;
  const all = Array.from({ length: 10 }, () =>
    inTurn(1, async () => {
      running += 1;
      await until.ended;
    }),
  );
  await new Promise(setImmediate);
  expect(running).toBe(3);
  until.end();
  await Promise.all(all);
  expect(running).toBe(10);
});

it('continues after a failure', async () => {
  const inTurn = oneAfterAnother();
  const failed = inTurn(1, () => Promise.reject(new Error('no')));
  const next = inTurn(1, () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});

it('refuses excess work, for that key only, until some of it is done', async () => {
  const inTurn = oneAfterAnother();
  const first = task();
  const waiting = Array.from({ length: 100 }, () => inTurn(1, () => first.ended));
  await expect(inTurn(1, () => Promise.resolve())).rejects.toThrow('too many');
  expect(await inTurn(2, () => Promise.resolve('other'))).toBe('other');
  first.end();
  await Promise.all(waiting);
  expect(await inTurn(1, () => Promise.resolve('again'))).toBe('again');
});
