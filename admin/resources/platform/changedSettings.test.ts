import { expect, it } from 'vitest';
import { blocked, changedSettings } from './changedSettings';

it('sends only changed settings, so that concurrent changes of others are kept', () => {
  const read = { gives_way: false, hours: 4, updated_at: '2026-11-21T08:00:00Z' };
  expect(changedSettings(read, { gives_way: true, hours: 4 })).toEqual({ gives_way: true });
  expect(changedSettings(read, { gives_way: false, hours: 4 })).toEqual({});
});

it('says why a form can’t be saved, unless its fields do', () => {
  expect(blocked(undefined, true, { days: 3 })).toEqual({});
  expect(blocked(undefined, true, {})).toEqual({ blockedReason: 'No changes yet.' });
  expect(blocked(undefined, false, {})).toEqual({ blockedReason: '' });
  expect(blocked('Your role can’t.', true, { days: 3 })).toEqual({ blockedReason: 'Your role can’t.' });
});
