import { expect, it } from 'vitest';
import { minuteTime } from '../../console/ui/data/time';
import { concernsOfDebts, concernsOfTransfers } from './moneyConcerns';

const now = Date.parse('2026-11-21T08:00:00Z');
const stops = '2026-11-24T08:00:00Z';
const team = (id: number, stops_at: string) => ({ id, name: `Team ${id}`, stops_at });

it('names a team in debt and when its CVMs stop, with a link', () => {
  expect(concernsOfDebts([team(5, stops)], 1, now)).toMatchObject([
    {
      title: 'Team 5 is in debt',
      detail: `Its CVMs stop on ${minuteTime(stops)} unless it pays.`,
      href: '/admin/workspaces/5',
    },
  ]);
  expect(concernsOfDebts([team(5, '2026-11-20T08:00:00Z')], 1, now)[0]?.detail).toBe(
    'Its grace period is over.',
  );
  expect(concernsOfDebts([], 0, now)).toEqual([]);
});

it('counts several teams in debt, names the next whose CVMs stop, and links to their list', () => {
  const debtors = [team(1, '2026-11-20T08:00:00Z'), team(2, '2026-12-24T08:00:00Z'), team(3, stops)];
  const [one] = concernsOfDebts(debtors, 3, now);
  expect(one).toMatchObject({
    title: '3 teams are in debt',
    detail: `Next: Team 3’s CVMs stop on ${minuteTime(stops)} unless it pays.`,
  });
  expect(decodeURIComponent(one?.href ?? '')).toContain('"in_debt":true');
});

it('pending bank transfers need finance’s attention, with a link to them', () => {
  expect(concernsOfTransfers(0)).toEqual([]);
  expect(concernsOfTransfers(1)).toMatchObject([
    {
      title: '1 bank transfer is waiting to be confirmed',
      href: expect.stringMatching(/payments\?filter=.*manual.*pending/),
    },
  ]);
  expect(concernsOfTransfers(2)[0]?.title).toBe('2 bank transfers are waiting to be confirmed');
});
