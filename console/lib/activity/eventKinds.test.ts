import { expect, it } from 'vitest';
import { keysFor, suggestEvents } from '../../features/activity/suggestEvents';
import { optionsFor } from '../../ui/query/queryDraft';
import { NOTICED_EVENTS } from '../../../server/domain/notifications/notices';
import { transitions } from '../../../server/domain/cvms/cvmStates';
import { parseEventQuery } from '../query/events';
import { EVENT_GROUPS, EVENT_KINDS } from './eventKinds';

/**
 * A sample of the kinds the server writes. Its types reject kinds missing from the list; these are those it reacts
 * to.
 */
const written = [
  ...NOTICED_EVENTS,
  ...Object.keys(transitions).flatMap((type) =>
    ['requested', 'succeeded', 'failed', 'cancelled', 'cancel_requested'].map((how) => `${type}.${how}`),
  ),
];
const offered = EVENT_KINDS.map(({ value }) => value);
const matches = (pattern: string, kind: string) =>
  new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`).test(kind);
const options = (draft: string) =>
  optionsFor(draft, draft.length, keysFor({}), suggestEvents([], {})).map(({ label }) => label);

it('offers every kind that the server writes', () => {
  expect(written.filter((kind) => !offered.includes(kind) && !kind.startsWith('debt.'))).toEqual([]);
  expect(new Set(offered).size).toBe(offered.length);
});

it('has exactly one group for each kind', () => {
  const groups = EVENT_GROUPS.map(({ value }) => value).filter((value) => value !== '*.failed');
  for (const kind of offered)
    expect(groups.filter((group) => matches(group, kind)).length, kind).toBeGreaterThan(0);
  for (const value of [...groups, ...offered])
    expect(parseEventQuery(`kind:${value}`).errors, value).toEqual([]);
  // No group may match nothing.
  for (const group of groups)
    expect(
      offered.some((kind) => matches(group, kind)),
      group,
    ).toBe(true);
});

it('finds kinds by the words in their rows', () => {
  expect(options('kind:"update canc')).toContain('update.cancelled');
  expect(options('kind:maintenance')).toEqual(
    expect.arrayContaining([
      'cvm.maintenance_*',
      'cvm.maintenance_planned',
      'cvm.maintenance_began',
      'cvm.maintenance_over',
    ]),
  );
  expect(options('kind:reserv')).toEqual(expect.arrayContaining(['order.*', 'order.started', 'order.ended']));
  expect(options('kind:"shut down')).toContain('shutdown.succeeded');
  expect(options('kind:rollout')).toContain('rollout.*');
  expect(options('kind:domain')).toEqual(expect.arrayContaining(['domain.*', 'domain.broken']));
  // The list that opens with the field must be complete.
  expect(options('kind:').length).toBe(EVENT_GROUPS.length + EVENT_KINDS.length);
});
