import { QueryClient, QueryObserver, type QueryKey } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import {
  getAppQueryKey,
  getBillingQueryKey,
  getCvmQueryKey,
  getInstanceTypeFamilyQueryKey,
  getSessionQueryKey,
  listAppRevisionsQueryKey,
  listAppsQueryKey,
  listEventsQueryKey,
} from '../../generated/api/@tanstack/react-query.gen';
import type { ActivityEvent } from '../../generated/api/types.gen';
import { sessionOptions } from './auth';
import { inTeam } from './client';
import { FOLLOWED, gatherStale, isStale, LIVE, shownSince, staleAfter } from './invalidation';

afterEach(() => void vi.useRealTimers());

const APP = 'b4830cb1bcbf7e452d564e5458db751dc87733e7';
const CVM = '5cb6e747-9b77-4b00-8581-37450954f721';

const event = (kind: string): ActivityEvent => ({
  id: '7',
  kind,
  severity: 'info',
  message: '',
  created_at: '2026-01-21T10:00:00Z',
  app_id: APP,
  cvm: { object_type: 'cvm', id: 'cvm_1', name: 'web', app_id: APP, vm_uuid: CVM },
  correlation_id: 'op_1',
  actor: null,
  data: {},
});

const team = inTeam('acme');
const keys = {
  apps: listAppsQueryKey({ ...team, query: { page: 2 } }),
  app: getAppQueryKey({ ...team, path: { app_id: APP } }),
  otherApp: getAppQueryKey({ ...team, path: { app_id: 'ffff' } }),
  cvm: getCvmQueryKey({ ...team, path: { cvm_id: CVM } }),
  otherCvm: getCvmQueryKey({ ...team, path: { cvm_id: 'f0000000-0000-4000-8000-000000000000' } }),
  otherTeam: listAppsQueryKey(inTeam('other')),
  events: listEventsQueryKey(team),
  revisions: listAppRevisionsQueryKey({ ...team, path: { app_id: APP } }),
  billing: getBillingQueryKey(team),
  sizes: getInstanceTypeFamilyQueryKey({ path: { family: 'tdx' } }),
};
const staleKeys = (kind: string) =>
  Object.entries(keys).flatMap(([name, key]) =>
    isStale(key, 'acme', staleAfter(event(kind))) ? [name] : [],
  );

test('a status change refetches only the lists, the app, the CVM and the balance', () => {
  expect(staleKeys('stop.succeeded')).toEqual(['apps', 'app', 'cvm', 'events', 'billing']);
});

test('a boot step refetches one CVM, not the lists', () => {
  expect(staleKeys('boot.progress')).toEqual(['cvm', 'events']);
});

test('a CVM that starts, stops or is resized refetches the team’s costs; its progress does not', () => {
  for (const kind of ['deploy.succeeded', 'start.succeeded', 'stop.succeeded', 'resize.succeeded'])
    expect(staleKeys(kind)).toContain('billing');
  expect(staleKeys('deploy.progress')).not.toContain('billing');
});

test('an update refetches revisions', () => {
  expect(staleKeys('update.succeeded')).toContain('revisions');
});

test('a gap refetches whatever an event of the team could have', () => {
  const names = Object.entries(keys).flatMap(([name, key]) => (isStale(key, 'acme', FOLLOWED) ? [name] : []));
  expect(names).not.toContain('otherTeam');
  expect(names).not.toContain('sizes');
  expect(names).toEqual(
    expect.arrayContaining(['apps', 'app', 'cvm', 'otherCvm', 'events', 'revisions', 'billing']),
  );
  const followed = new Set(FOLLOWED.flatMap(({ operationIds }) => operationIds));
  const kinds = ['deploy', 'update', 'stop', 'boot', 'domain', 'rollout', 'delete', 'purge'];
  for (const kind of kinds)
    for (const { operationIds } of staleAfter(event(`${kind}.succeeded`)))
      for (const id of operationIds) expect(followed).toContain(id);
});

test('the age of a page is that of its oldest live data', () => {
  const client = new QueryClient();
  const read = (queryKey: readonly unknown[], updatedAt: number) =>
    client.setQueryData(queryKey, {}, { updatedAt });
  const show = (queryKey: readonly unknown[]) =>
    new QueryObserver(client, { queryKey, queryFn: () => ({}), staleTime: Infinity }).subscribe(
      () => undefined,
    );
  const stops = [keys.cvm, keys.otherTeam, keys.sizes].map(show);
  expect(shownSince(client, 'acme')).toBeUndefined();
  read(keys.apps, 1_000); // not shown
  read(keys.otherTeam, 2_000);
  read(keys.sizes, 2_000);
  read(keys.cvm, 4_000);
  read(keys.app, 3_000);
  stops.push(show(keys.app));
  expect(shownSince(client, 'acme')).toBe(3_000);
  for (const stop of stops) stop();
  client.clear();
});

test('a slow read is shown while events keep coming, and delays no other', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const shown = (queryKey: QueryKey, ms: number) => {
    client.setQueryData(queryKey, {});
    const observer = new QueryObserver(client, {
      queryKey,
      queryFn: () => new Promise((resolve) => setTimeout(() => resolve({}), ms)),
      staleTime: Infinity,
    });
    return { observer, leave: observer.subscribe(() => undefined) };
  };
  const slow = shown(keys.events, 2_000);
  const fast = shown(keys.cvm, 50);
  const age = ({ observer }: typeof slow) => Date.now() - observer.getCurrentResult().dataUpdatedAt;
  const { add, stop } = gatherStale(client, 'acme');
  for (let i = 0; i < 100; i++) {
    add(staleAfter(event('boot.progress')));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(age(slow)).toBeLessThan(2_500);
  expect(age(fast)).toBeLessThan(500);
  // The last event is read, too.
  await vi.advanceTimersByTimeAsync(5_000);
  expect(client.getQueryState(keys.events)?.isInvalidated).toBe(false);
  expect(age(slow)).toBeGreaterThan(500);
  stop();
  for (const { leave } of [slow, fast]) leave();
  client.clear();
});

test('a read that is stuck doesn’t keep the page from the next one', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  client.setQueryData(keys.events, {});
  const read = vi
    .fn()
    .mockReturnValueOnce(new Promise(() => undefined))
    .mockResolvedValue({});
  const observer = new QueryObserver(client, { queryKey: keys.events, queryFn: read, staleTime: Infinity });
  const leave = observer.subscribe(() => undefined);
  const { add, stop } = gatherStale(client, 'acme');
  add([LIVE]);
  await vi.advanceTimersByTimeAsync(1_000);
  add([LIVE]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(client.getQueryState(keys.events)?.isInvalidated).toBe(false);
  stop();
  leave();
  client.clear();
});

test('ignores query keys that aren’t generated', () => {
  expect(isStale(['deploy-preflight', 'acme'], 'acme', [LIVE])).toBe(false);
});

test('the session uses the generated key', () => {
  expect(sessionOptions().queryKey).toEqual(getSessionQueryKey());
});
