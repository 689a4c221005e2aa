import { expect, it } from 'vitest';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { recentItems } from './recentItems';

const failed: ActivityEvent = {
  id: '2',
  kind: 'start.failed',
  severity: 'error',
  message: 'Start failed: Boot error: Network web Created | Error: manifest unknown | exit status 1',
  created_at: '2026-11-23T10:00:42Z',
  correlation_id: 'op-1',
  app_id: null,
  cvm: null,
  actor: null,
  data: {},
};
const requested = {
  ...failed,
  id: '1',
  kind: 'start.requested',
  message: 'Start requested',
  created_at: '2026-11-23T10:00:00Z',
};

it('leaves a failure’s cause to the page’s error box', () => {
  expect(recentItems([failed, requested])).toMatchObject([{ message: 'Start failed', took_ms: 42_000 }]);
});

it('lists events in the order in which they happened, however late the host reported them', () => {
  const other = { ...requested, correlation_id: null };
  const deleted = { ...other, id: '4', kind: 'delete.succeeded', created_at: '2026-11-23T10:00:05Z' };
  // Reported after the deletion, so its ID is higher.
  const stopped = { ...other, id: '5', kind: 'host.shutdown', created_at: '2026-11-23T10:00:02Z' };
  expect(recentItems([stopped, deleted, requested]).map(({ id }) => id)).toEqual(['4', '5', '1']);
});

it('shows no number of steps if the list lacks some', () => {
  const recycled = { ...requested, id: '3', kind: 'cvm.recycled' };
  expect(recentItems([failed, recycled, requested])[0]).toMatchObject({ steps: [{ id: '3' }] });
  const [row] = recentItems([failed, recycled, requested], { isPartial: true });
  expect(row).toMatchObject({ steps: [{ id: '3' }], stepsLabel: 'Details' });
});

it('shows the cause’s most specific line if there is no error box', () => {
  const [row] = recentItems([failed, requested], { withCause: true });
  expect(row?.message).toBe('Start failed: Error: manifest unknown');
});

it('converts a host’s or guest’s apostrophes to typographic ones', () => {
  const said = { ...failed, message: "Start failed: Error: the image “it's-mine” isn't there" };
  const step = { ...requested, id: '3', kind: 'boot.progress', message: "Boot: can't reach the registry" };
  expect(recentItems([said, step, requested], { withCause: true })).toMatchObject([
    {
      message: "Start failed: Error: the image “it's-mine” isn’t there",
      steps: [{ message: 'Boot: can’t reach the registry' }],
    },
  ]);
});
