import { describe, expect, it } from 'vitest';
import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { isOnItsWay } from './queries';
import { webhooksHref, webhooksSearch } from './search';
import { attemptInWords, EVENT_KINDS } from './words';
import { SNIPPET } from './snippet';

describe('the address', () => {
  it('holds what is looked at, and comes back as it went', () => {
    const search = { webhook: 'whk_1', delivery: 'evt_0123456789abcdef', page: 3 };
    const href = webhooksHref('acme', search);
    expect(href).toBe('/acme/members?tab=webhooks&webhook=whk_1&delivery=evt_0123456789abcdef&page=3');
    const query = Object.fromEntries(new URL(href, 'http://x').searchParams);
    expect(webhooksSearch(query)).toEqual({ ...search, new: undefined });
    expect(webhooksHref('acme', { new: true })).toBe('/acme/members?tab=webhooks&new=true');
  });

  it('is not believed', () => {
    for (const bad of [
      { webhook: '../secret', delivery: 'x', page: '0', new: 'yes' },
      { webhook: ['whk_1'], delivery: {}, page: 'many', new: 1 },
      { webhook: `whk_${'x'.repeat(100)}`, page: 1e9 },
    ])
      expect(webhooksSearch(bad)).toEqual({});
  });
});

it('knows what is on its way now from what waits for its next try', () => {
  const at = (ms: number) =>
    ({ state: 'pending', next_attempt_at: new Date(ms).toISOString() }) as WebhookDelivery;
  expect(isOnItsWay(at(1_000), 2_000)).toBe(true);
  expect(isOnItsWay(at(60_000), 0)).toBe(false);
  expect(isOnItsWay({ ...at(0), state: 'delivered', next_attempt_at: null })).toBe(false);
});

it('says how a try went', () => {
  const attempt = { at: '', duration_ms: 1, status: 204, error: null, message: null };
  expect(attemptInWords(attempt)).toBe('Taken (204).');
  expect(attemptInWords({ ...attempt, status: null, error: 'timeout' })).toContain('10 seconds');
  expect(attemptInWords({ ...attempt, error: 'status', message: 'It answered 500.' })).toBe(
    'It answered 500.',
  );
  // The eight of the published client, and three of ours.
  expect(EVENT_KINDS).toHaveLength(11);
  expect(SNIPPET).toContain("from '@phala/cloud/webhook'");
});
