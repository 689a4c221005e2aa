import { createServer } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { expect, it } from 'vitest';
import { CommitUnknownError, createPool } from './client';
import { isDatabaseUnavailable } from './unavailable';

const coded = (code: string) => Object.assign(new Error('of PostgreSQL'), { code });

it.each(['57P01', '57P02', '57P03', '08006', '53300'])('SQLSTATE %s passes', (code) => {
  expect(isDatabaseUnavailable(coded(code))).toBe(true);
});

it.each(['23505', '40P01', '42P01', '53100', '57014', '22P02', '08P01'])('SQLSTATE %s does not', (code) => {
  expect(isDatabaseUnavailable(coded(code))).toBe(false);
});

it('neither does an error unrelated to a database', () => {
  for (const error of [new Error('x'), new TypeError('fetch failed'), coded('ENOENT'), null, 'ECONNREFUSED'])
    expect(isDatabaseUnavailable(error), String(error)).toBe(false);
});

it('neither does a commit whose outcome is unknown', () => {
  expect(isDatabaseUnavailable(new CommitUnknownError(coded('57P01')))).toBe(false);
});

it('neither does a full disk', () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
  expect(isDatabaseUnavailable(full)).toBe(false);
});

it('a server that refuses or closes connections does', async () => {
  const door = createServer((socket) => socket.destroy());
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const { port } = door.address() as { port: number };
  const ask = () => {
    const pool = createPool({ host: '127.0.0.1', port, user: 'x' }, { size: 1, applicationName: 'test' });
    return pool
      .query('select 1')
      .then(
        () => null,
        (error: unknown) => error,
      )
      .finally(() => pool.end());
  };
  expect(isDatabaseUnavailable(await ask()), 'closed').toBe(true);
  door.close();
  expect(isDatabaseUnavailable(await ask()), 'refused').toBe(true);
  const client = new pg.Client({ host: '/nowhere', user: 'x' });
  const error = await client.connect().then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(isDatabaseUnavailable(error), 'its socket is gone').toBe(true);
});
