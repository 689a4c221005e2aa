import { describe, expect, it } from 'vitest';
import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { isInFlight } from './queries';
import { webhooksHref, webhooksSearch } from './search';
import { describeAttempt, EVENT_KINDS, resendRefusal } from './texts';
import { SNIPPET } from './snippet';

describe('the webhooks address', () => {
  it('survives a round trip', () => {
    const search = { webhook: 'whk_1', delivery: 'evt_0123456789abcdef', page: 3 };
    const href = webhooksHref('acme', search);
    expect(href).toBe('/acme/members?tab=webhooks&webhook=whk_1&delivery=evt_0123456789abcdef&page=3');
    const query = Object.fromEntries(new URL(href, 'http://x').searchParams);
    expect(webhooksSearch(query)).toEqual({ ...search, new: undefined });
    expect(webhooksHref('acme', { new: true })).toBe('/acme/members?tab=webhooks&new=true');
  });

  it('drops invalid parameters', () => {
    for (const bad of [
      { webhook: '../secret', delivery: 'x', page: '0', new: 'yes' },
      { webhook: ['whk_1'], delivery: {}, page: 'many', new: 1 },
      { webhook: `whk_${'x'.repeat(100)}`, page: 1e9 },
    ])
      expect(webhooksSearch(bad)).toEqual({});
  });
});

it('distinguishes deliveries in flight from those waiting for a retry', () => {
  const at = (ms: number) =>
    ({ state: 'pending', next_attempt_at: new Date(ms).toISOString() }) as WebhookDelivery;
  expect(isInFlight(at(1_000), 2_000)).toBe(true);
  expect(isInFlight(at(60_000), 0)).toBe(false);
  expect(isInFlight({ ...at(0), state: 'delivered', next_attempt_at: null })).toBe(false);
});

it('describes an attempt', () => {
  const attempt = { at: '', duration_ms: 1, status: 204, error: null, message: null };
  expect(describeAttempt(attempt)).toBe('Accepted (204).');
  expect(describeAttempt({ ...attempt, status: null, error: 'timeout' })).toContain('10 seconds');
  expect(describeAttempt({ ...attempt, error: 'status', message: 'It returned status 500.' })).toBe(
    'It returned status 500.',
  );
  // The published client's eight kinds, plus ten of ours.
  expect(EVENT_KINDS).toHaveLength(18);
  expect(SNIPPET).toContain("from '@phala/cloud/webhook'");
});

it('offers to resend only what the receiver still understands', () => {
  const webhook = { enabled: true, format: 'slack' } as const;
  const delivery = {
    state: 'failed',
    test: false,
    payload: { text: 'Team “Acme”: web was deployed' },
  } as const;
  expect(resendRefusal(webhook, delivery)).toBeUndefined();
  for (const format of ['events', 'discord'] as const)
    expect(resendRefusal({ ...webhook, format }, delivery)).toBe('The webhook’s format has changed');
  expect(resendRefusal({ ...webhook, enabled: false }, delivery)).toBe('The webhook is disabled');
  expect(resendRefusal(webhook, { ...delivery, state: 'pending' })).toBe('Already sending');
  expect(resendRefusal({ enabled: true, format: 'events' }, { ...delivery, payload: { id: 'evt_1' } })).toBe(
    undefined,
  );
});
