import { expect, it } from 'vitest';
import { changedSettings } from './changedSettings';

it('sends only changed settings, so that concurrent changes of others are kept', () => {
  const read = { gives_way: false, hours: 4, updated_at: '2026-11-21T08:00:00Z' };
  expect(changedSettings(read, { gives_way: true, hours: 4 })).toEqual({ gives_way: true });
  expect(changedSettings(read, { gives_way: false, hours: 4 })).toEqual({});
});
