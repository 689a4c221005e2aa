import { expect, it } from 'vitest';
import { Turns } from './turns';

/** A task that is in progress until it is ended. */
function task(log: string[], name: string) {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    log.push(name);
    await ended;
  };
  return { end, run };
}

it('runs tasks in arrival order, as many at a time as there is room for', async () => {
  const turns = new Turns(2);
  const log: string[] = [];
  const tasks = ['a', 'b', 'c', 'd'].map((name) => task(log, name));
  const ran = tasks.map(({ run }) => turns.run(run));
  expect([log.join(''), turns.pending]).toEqual(['ab', 4]);
  tasks[1]?.end();
  await ran[1];
  expect([log.join(''), turns.pending]).toEqual(['abc', 3]);
  for (const { end } of tasks) end();
  await Promise.all(ran);
  expect([log.join(''), turns.pending]).toEqual(['abcd', 0]);
});

it('continues after a task that fails', async () => {
  const turns = new Turns();
  const failed = turns.run(() => Promise.reject(new Error('no')));
  const next = turns.run(() => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect([await next, turns.pending]).toEqual(['done', 0]);
});
