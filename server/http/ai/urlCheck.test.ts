import { expect, it } from 'vitest';
import type { Services } from '../../operations/types';
import { createUrlCheck } from './urlCheck';

/** A check whose lookups end when the test says so. */
function startCheck() {
  const ends: (() => void)[] = [];
  const visitorNet = { check: () => new Promise<void>((resolve) => ends.push(resolve)) };
  const check = createUrlCheck({ visitorNet: visitorNet as unknown as Services['visitorNet'] });
  return {
    ends,
    check: (team_id: number, name: string) =>
      check(team_id, [{ url: new URL(`https://${name}.test/`), param: 'messages[0].content[0]' }]),
  };
}

it('looks a host up once for concurrent and later requests', async () => {
  const { check, ends } = startCheck();
  const together = [check(1, 'a'), check(2, 'a')];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await Promise.all(together);
  await check(3, 'a');
  expect(ends).toHaveLength(1);
});

it('lets a team wait for 20 hosts, while others have theirs looked up', async () => {
  const { check, ends } = startCheck();
  const waiting = Array.from({ length: 20 }, (_, i) => check(1, `slow-${i}`));
  await expect(check(1, 'next')).rejects.toMatchObject({ status: 503, retryAfter: 1 });
  const other = check(2, 'next');
  for (const end of ends) end();
  await Promise.all([...waiting, other]);
  const next = check(1, 'again');
  ends.at(-1)?.();
  await next;
});

it('looks up at most 200 hosts for all teams together', async () => {
  const { check, ends } = startCheck();
  const waiting = Array.from({ length: 200 }, (_, i) => check(Math.floor(i / 10), `slow-${i}`));
  await expect(check(1000, 'next')).rejects.toMatchObject({ status: 503 });
  for (const end of ends) end();
  await Promise.all(waiting);
});
