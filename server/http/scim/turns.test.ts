import { expect, it } from 'vitest';
import { ScimError } from '../../domain/teams/scim/scimError';
import { createTurns } from './turns';

/** Work that is in progress until it is ended. */
function task() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

it('runs the writes of a connection one after another, and those of others beside them', async () => {
  const inTurn = createTurns();
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

it('continues after a failure', async () => {
  const inTurn = createTurns();
  const failed = inTurn(1, () => Promise.reject(new Error('no')));
  const next = inTurn(1, () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});

it('refuses more than 100 at a time', async () => {
  const inTurn = createTurns();
  const first = task();
  const pending = Array.from({ length: 100 }, () => inTurn(1, () => first.ended));
  await expect(inTurn(1, () => Promise.resolve())).rejects.toMatchObject({ status: 429 });
  await expect(inTurn(1, () => Promise.resolve())).rejects.toBeInstanceOf(ScimError);
  first.end();
  await Promise.all(pending);
  expect(await inTurn(1, () => Promise.resolve('again'))).toBe('again');
});
